extension Error {
  /// The system's words for why a file could not be read or written: "No such file or directory". In place of
  /// `localizedDescription`, which is Foundation's.
  package var fileErrorReason: String {
    let cause = (self as? CocoaError)?.underlying ?? self
    guard let error = cause as? POSIXError else { return "\(self)" }
    return String(cString: strerror(error.code.rawValue))
  }
}
