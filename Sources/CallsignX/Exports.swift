// Whoever calls the API names credentials, options and errors of the runtime; `import CallsignX` is enough for that.
@_exported import Callsign
@_exported import CallsignAuth
@_exported import XCore

extension XAPI {
  /// X's rate-limit fields, errors and streams.
  public static var conventions: any APIConventions { .x }
}
