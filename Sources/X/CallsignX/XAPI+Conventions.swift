import Callsign
import XCore

extension XAPI {
  /// X's rate-limit fields, errors and streams.
  public static var conventions: any APIConventions { .x }
}
