import CallsignHTTP
import HTTPTypes
import Logging

extension Exchange {
  /// Tells of a request at level `trace`: what of its header fields may be shown, and never its query or body.
  func trace(_ request: TransportRequest, attempt: Int) {
    client.configuration.logger.trace(
      "request",
      metadata: [
        "endpoint": "\(call.name)", "attempt": "\(attempt)", "method": "\(request.head.method.rawValue)",
        "path": "\((request.head.path ?? "").prefix { $0 != "?" })", "headers": metadata(request.head.headerFields),
      ])
  }

  /// Tells of an answer at level `trace`, in the same way.
  func trace(_ response: TransportResponse, attempt: Int) {
    client.configuration.logger.trace(
      "answer",
      metadata: [
        "endpoint": "\(call.name)", "attempt": "\(attempt)", "status": "\(response.head.status.code)",
        "headers": metadata(response.head.headerFields),
      ])
  }

  private func metadata(_ headers: HTTPFields) -> Logger.MetadataValue {
    let redaction = client.configuration.redaction
    return .dictionary(
      Dictionary(headers.map { ($0.name.canonicalName, .string(redaction.value($0).printable)) }) { $1 })
  }
}
