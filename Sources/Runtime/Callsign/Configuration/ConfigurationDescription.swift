import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// Header fields and query items may be credentials, so only their names are printed, not their values. Hosts,
/// middleware and other values from the program may also contain credentials.
extension ClientConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of transport, the timeouts, and the names of the header fields and the query parameters.
  public var description: String {
    "ClientConfiguration(transport: \(type(of: transport)), headers: \(headers.sortedNames), query: \(query.sortedNames))"
      .printable
  }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// The parts that can be shown.
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
