import CallsignHTTP
import HTTPTypes
import Logging

// Messages at level `trace`: what of the header fields may be shown, and never a query or body.
extension CallExecution {
  func logRequest(_ request: TransportRequest, attempt: Int) {
    configuration.logger.trace(
      "request",
      metadata: [
        "endpoint": "\(endpoint.name)", "attempt": "\(attempt)", "method": "\(request.method.rawValue)",
        "path": "\(configuration.redaction.path(of: request))", "headers": metadata(request.headerFields),
      ])
  }

  func logResponse(_ response: TransportResponse, attempt: Int) {
    configuration.logger.trace(
      "response",
      metadata: [
        "endpoint": "\(endpoint.name)", "attempt": "\(attempt)", "status": "\(response.head.status.code)",
        "headers": metadata(response.head.headerFields),
      ])
  }

  private func metadata(_ headers: HTTPFields) -> Logger.MetadataValue {
    let redaction = configuration.redaction
    return .dictionary(
      Dictionary(headers.map { ($0.name.canonicalName, .string(redaction.value($0).printable)) }) { $1 })
  }
}
