import Hummingbird

/// The server's responses; Callsign also has a type with this name.
typealias Response = Hummingbird.Response

/// The pages, without scripts.
enum Pages {
  static let welcome = page("Welcome", #"<p><a href="/login">Log in with X</a></p>"#)

  static func home(username: String) -> Response {
    let logOut = #"<form method="post" action="/logout"><button>Log out</button></form>"#
    return page("Hello", "<p>You are @\(escaped(username)).</p>\(logOut)")
  }

  static func message(_ title: String, _ text: String, status: HTTPResponse.Status = .ok) -> Response {
    page(title, #"<p>\#(escaped(text))</p><p><a href="/">Back</a></p>"#, status: status)
  }

  private static func page(_ title: String, _ body: String, status: HTTPResponse.Status = .ok) -> Response {
    let text = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>\(escaped(title))</title><h1>\(escaped(title))</h1>\(body)</html>
      """
    return Response(
      status: status,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; form-action 'self'",
      ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
