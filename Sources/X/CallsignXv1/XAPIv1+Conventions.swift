import Callsign
import XCore

extension XAPIv1 {
  /// X's rate-limit fields, errors and streams.
  public static var conventions: any APIConventions { .x }

  /// An error of the API, by its number.
  public typealias ErrorCode = XErrorCode
}
