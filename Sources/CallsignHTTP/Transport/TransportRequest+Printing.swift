import HTTPTypes

/// A request carries credentials in its header fields, its query and its body, so none of their values is printed.
extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the URL without its query.
  public var description: String {
    let path = (head.path ?? "").prefix { $0 != "?" }
    return "\(head.method.rawValue) \(head.scheme ?? "")://\(head.authority ?? "")\(path)".printable
  }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// The names of the header fields, and the body's length.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "request": description, "headerFields": head.headerFields.map(\.name.rawName), "bodyLength": body.length as Any,
      ])
  }
}

extension TransportRequest {
  /// Where the request really goes.
  package var destination: AbsoluteURL? {
    AbsoluteURL("\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")")
  }
}
