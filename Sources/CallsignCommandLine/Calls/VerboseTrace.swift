import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes

/// Reports requests and answers as they go by, without their secrets and bodies.
struct VerboseTrace: Middleware {
  let terminal: Terminal
  var redaction = Redaction()

  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    terminal.report("> \(request.method.rawValue) \(redaction.url(request.url.text))")
    report(request.headerFields, ">")
    let start = ContinuousClock.now
    do throws(TransportError) {
      let response = try await next(request)
      let time = (ContinuousClock.now - start).formatted(.units(allowed: [.milliseconds], width: .narrow))
      terminal.report("< \(response.head.status.code) \(response.head.status.reasonPhrase) (\(time))")
      report(response.head.headerFields, "<")
      return response
    } catch {
      terminal.report("* \(error.summary)")
      throw error
    }
  }

  private func report(_ fields: HTTPFields, _ sign: String) {
    for field in fields { terminal.report("\(sign) \(field.name.rawName): \(redaction.value(field))") }
  }
}
