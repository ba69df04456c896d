import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes

/// Logs requests and responses without their secrets. The body of a response is logged after all of it has been read.
struct VerboseTrace: Middleware {
  let terminal: Terminal
  var redaction = Redaction()

  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    // A redirect may have repeated the credentials under other names.
    let secrets = context.secrets
    terminal.report("> \(request.method.rawValue) \(secrets.removed(from: redaction.url(of: request)))")
    report(request.headerFields, ">", secrets)
    switch request.body {
    case .none: break
    case .data(let data): report(data, request.headerFields, ">", secrets)
    case .stream: terminal.report("> ‹a body that is read while it is sent›")
    }
    let start = ContinuousClock.now
    do throws(TransportError) {
      var response = try await next(request)
      let time = (ContinuousClock.now - start).formatted(.units(allowed: [.milliseconds], width: .narrow))
      terminal.report("< \(response.head.status.code) \(response.head.status.reasonPhrase) (\(time))")
      let fields = response.head.headerFields
      report(fields, "<", secrets)
      let body = ObservedBody(response.body, limit: Self.keptLimit) { data, _ in
        if let data { report(data, fields, "<", secrets) } else { terminal.report("< ‹a long body›") }
      }
      response.body = ResponseBody(body)
      return response
    } catch {
      terminal.report("* \(error.summary)")
      throw error
    }
  }

  /// The maximum number of bytes of a response to keep for display, and of characters to show.
  private static let keptLimit = 1 << 20
  private static let shownLimit = 4_000

  private func report(_ body: Data, _ fields: HTTPFields, _ sign: String, _ secrets: RedactedTexts) {
    if body.isEmpty { return }
    let type = fields[.contentType]
    var values = SecretValues(redaction)
    guard let clean = values.cleaned(redaction.body(body, contentType: type), contentType: type),
      String(data: body, encoding: .utf8) != nil,
      let text = String(data: secrets.removed(from: clean), encoding: .utf8), !text.unicodeScalars.contains("\0")
    else {
      return terminal.report("\(sign) ‹\(body.count) bytes›")
    }
    let shown = text.prefix(Self.shownLimit)
    for line in shown.split(whereSeparator: \.isNewline) { terminal.report("\(sign) \(line)") }
    if shown.endIndex < text.endIndex { terminal.report("\(sign) … \(body.count) bytes in all") }
    if !values.paths.isEmpty { terminal.report("* \(values.note)") }
  }

  private func report(_ fields: HTTPFields, _ sign: String, _ secrets: RedactedTexts) {
    for field in fields {
      terminal.report("\(sign) \(field.name.rawName): \(secrets.removed(from: redaction.value(field)))")
    }
  }
}
