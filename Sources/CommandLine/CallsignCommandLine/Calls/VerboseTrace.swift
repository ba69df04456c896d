import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes

/// Reports requests and responses as they go by, without their secrets and bodies.
struct VerboseTrace: Middleware {
  let terminal: Terminal
  var redaction = Redaction()

  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    // A redirect may have repeated the credentials by other names.
    let secrets = context.secrets
    terminal.report("> \(request.method.rawValue) \(secrets.removed(from: redaction.url(of: request)))")
    report(request.headerFields, ">", secrets)
    let start = ContinuousClock.now
    do throws(TransportError) {
      let response = try await next(request)
      let time = (ContinuousClock.now - start).formatted(.units(allowed: [.milliseconds], width: .narrow))
      terminal.report("< \(response.head.status.code) \(response.head.status.reasonPhrase) (\(time))")
      report(response.head.headerFields, "<", secrets)
      return response
    } catch {
      terminal.report("* \(error.summary)")
      throw error
    }
  }

  private func report(_ fields: HTTPFields, _ sign: String, _ secrets: RedactedTexts) {
    for field in fields {
      terminal.report("\(sign) \(field.name.rawName): \(secrets.removed(from: redaction.value(field)))")
    }
  }
}
