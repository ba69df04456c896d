// Whoever calls the API names credentials, options and errors of the runtime; `import CallsignXv1` is enough for that.
@_exported import Callsign
@_exported import CallsignAuth
@_exported import XCore

extension XAPIv1 {
  /// X's rate-limit fields, errors and streams.
  public static var conventions: any APIConventions { .x }
}
