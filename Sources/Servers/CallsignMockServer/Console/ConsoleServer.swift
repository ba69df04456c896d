import Foundation
import LoopbackSockets

/// Serves the console's page and the data for its script over HTTP: `/` and everything below ``folder``.
///
/// Only pages from this machine can send requests, using a host name of this machine, so that no site can read or change anything
/// through a visitor's browser. Texts, style and script are compiled into the program, because a resource bundle would have to
/// accompany every program that starts a sandbox.
package struct ConsoleServer: Sendable {
  /// An HTTP request.
  package struct Request: Sendable {
    package var method: String
    package var path: String
    package var query: String
    package var host: String
    package var origin: String?
    /// `Sec-Fetch-Site`, the browser's statement of where a request comes from.
    package var site: String?
    package var contentType: String
    package var body: Data

    package init(method: String, path: String, query: String, body: Data, header: (String) -> String?) {
      self.method = method
      self.path = path
      self.query = query
      self.body = body
      host = header("Host") ?? ""
      origin = header("Origin")
      site = header("Sec-Fetch-Site")
      contentType = header("Content-Type") ?? ""
    }
  }

  /// An HTTP response.
  package struct Response: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Data
  }

  /// The folder of everything except the page itself.
  package static let folder = "/_console/"
  /// The path of the style sheet that login pages also use.
  package static let stylePath = folder + "style.css"

  private let host: any ConsoleHost
  private let page: Data
  private static let bodyLimit = 1 << 20
  /// The maximum number of requests that a page gets at once.
  private static let requestLimit = 200

  /// - Parameter host: The server to show.
  package init(_ host: any ConsoleHost) {
    self.host = host
    page = Data(ConsoleMarkup.page.utf8)
  }

  /// Responds to a request; `nil` if it is not for the console.
  package func response(_ request: Request) async -> Response? {
    guard request.path == "/" || request.path.hasPrefix(Self.folder) else { return nil }
    guard LoopbackAuthority.isLoopback(request.host) else {
      return Self.refuse(403, "Open the console by 127.0.0.1 or localhost.")
    }
    switch request.method {
    case "GET", "HEAD":
      var response = await get(request)
      if request.method == "HEAD" { response.body = Data() }
      return response
    case "POST":
      guard request.path != "/" else { break }
      return await post(request)
    default: break
    }
    return Self.refuse(405, "The console takes GET and POST.")
  }

  private func get(_ request: Request) async -> Response {
    // A link from another site may only open the page.
    if request.path != "/", let site = request.site, !["same-origin", "none"].contains(site) {
      return Self.refuse(403, "Other sites may not read the console.")
    }
    switch request.path.dropFirst(Self.folder.count) {
    case "": return request.path == "/" ? file(page, "text/html") : Self.refuse(404, "The console is at /.")
    case "style.css": return file(Data(ConsoleStyle.text.utf8), "text/css")
    case "script.js": return file(Data(ConsoleScript.text.utf8), "text/javascript")
    case "icon.svg": return file(Data(ConsoleMarkup.icon.utf8), "image/svg+xml")
    case "facts": return json(await host.facts())
    case "news": return json(await news(after: max(0, Int(parameter("after", of: request)) ?? 0)))
    case "table":
      guard let table = await host.table(parameter("name", of: request)) else {
        return Self.refuse(404, "This table does not exist.")
      }
      return json(table)
    default: return Self.refuse(404, "The console has no such page.")
    }
  }

  private struct News: Encodable {
    var requests: [ConsoleRequest]
    var status: ConsoleStatus
  }

  private func news(after number: Int) async -> News {
    News(requests: await host.requests(after: number, atMost: Self.requestLimit), status: await host.status())
  }

  private struct Seconds: Decodable { var seconds: Double? }

  private func post(_ request: Request) async -> Response {
    // A form on another site cannot send JSON, and a script on another site would need permission first.
    guard request.contentType.lowercased().hasPrefix("application/json"),
      request.origin.map({ $0.lowercased() == "http://" + request.host.lowercased() }) ?? true,
      request.site.map({ $0 == "same-origin" }) ?? true
    else { return Self.refuse(403, "Only the console's own page may ask for that.") }
    guard request.body.count <= Self.bodyLimit else { return Self.refuse(413, "That is too long.") }
    do throws(ConsoleProblem) {
      switch request.path.dropFirst(Self.folder.count) {
      case "call": return json(try await host.call(try read(request)))
      case "faults": try await host.inject(try read(request))
      case "faults/remove": await host.removeFaults()
      case "time":
        let seconds: Seconds = try read(request)
        if let number = seconds.seconds, !number.isFinite || abs(number) > 3_153_600_000 {
          throw ConsoleProblem("A step is less than a hundred years.")
        }
        try await host.moveTime(by: seconds.seconds)
      case "forget": await host.forgetRequests()
      default: return Self.refuse(404, "The console has no such page.")
      }
    } catch {
      return Self.refuse(400, error.text)
    }
    return json(await host.status())
  }

  private func read<Value: Decodable>(_ request: Request) throws(ConsoleProblem) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: request.body) } catch {
      throw ConsoleProblem("The form is incomplete.")
    }
  }

  private func parameter(_ name: String, of request: Request) -> String {
    let pair = request.query.split(separator: "&").first { $0.hasPrefix(name + "=") }
    return pair.flatMap { $0.dropFirst(name.count + 1).removingPercentEncoding } ?? ""
  }

  // MARK: Responses

  /// Allows no script, style, frame or form from another site.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    + " base-uri 'none'; frame-ancestors 'none'"

  private func file(_ bytes: Data, _ type: String) -> Response { Self.response(200, bytes, "\(type); charset=utf-8") }

  private func json(_ value: some Encodable) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(value) else { return Self.refuse(500, "That cannot be shown.") }
    return Self.response(200, bytes, "application/json")
  }

  private static func refuse(_ status: Int, _ text: String) -> Response {
    response(status, Data((text + "\n").utf8), "text/plain; charset=utf-8")
  }

  private static func response(_ status: Int, _ bytes: Data, _ type: String) -> Response {
    Response(
      status: status,
      headers: [
        ("Content-Type", type), ("Cache-Control", "no-store"), ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ], body: bytes)
  }
}
