import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// Header fields and query items may be credentials, so their names are printed and their values are not. Hosts, middleware
/// and what else a program puts in may hold them, too.
extension ClientConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of transport, the timeouts, and the names of the header fields and the query parameters.
  public var description: String {
    "ClientConfiguration(transport: \(type(of: transport)), headers: \(headers.sortedNames), query: \(query.sortedNames))"
      .printable
  }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// What can be shown of it.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "transport": "\(type(of: transport))", "timeouts": timeouts, "responseLimit": responseLimit,
        "recordLimit": recordLimit, "headers": headers.sortedNames, "query": query.sortedNames,
        "deadline": deadline as Any,
      ])
  }
}
