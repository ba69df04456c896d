import Callsign
// XCore lists the names of the runtime that a program writes; nothing else is re-exported.
@_exported import XCore

extension XAPI {
  /// X's rate-limit fields, errors and streams.
  public static var conventions: any APIConventions { .x }
}
