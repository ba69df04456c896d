import Callsign
// XCore lists the names of the runtime that a program writes; nothing else is re-exported.
@_exported import XCore

extension XAPIv1 {
  /// X's rate-limit fields, errors and streams.
  public static var conventions: any APIConventions { .x }
}

extension XAPIv1 {
  /// An error of the API, by its number.
  public typealias ErrorCode = XErrorCode
}
