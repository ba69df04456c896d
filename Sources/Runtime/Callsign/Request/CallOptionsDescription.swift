import CallsignJSON
import CallsignSupport

/// Header fields, query items and members of the body may be credentials, so their names are printed and their values are not.
extension CallOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names of the header fields, the query parameters and the members of the body.
  public var description: String {
    "CallOptions(headers: \(headers.sortedNames), query: \(query.keys.sorted()), body: \(body.sortedNames))".printable
  }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// The parts that can be shown.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "timeouts": timeouts as Any, "headers": headers.sortedNames, "query": query.keys.sorted(),
        "body": body.sortedNames, "deadline": deadline as Any,
      ])
  }
}
