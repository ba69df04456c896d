import Foundation

extension Answer {
  /// A web page, which no cache keeps and no frame shows.
  init(status: Int = 200, page: String) {
    self.init(status: status)
    body = .bytes(Data(page.utf8))
    headers = [
      .init(name: "Content-Type", value: "text/html; charset=utf-8"), .init(name: "Cache-Control", value: "no-store"),
      .init(name: "Referrer-Policy", value: "no-referrer"), .init(name: "X-Frame-Options", value: "DENY"),
    ]
  }

  /// Sends a browser elsewhere.
  init(redirectTo address: String) {
    self.init(status: 302)
    headers = [.init(name: "Location", value: address), .init(name: "Cache-Control", value: "no-store")]
  }

  /// Names and values as OAuth 1.0a's endpoints answer them (RFC 5849 §2.1), with the media type that X gives them.
  init(form: [(name: String, value: String)]) {
    self.init(
      text: form.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        .joined(separator: "&"))
  }

  init(text: String) {
    self.init(status: 200)
    body = .bytes(Data(text.utf8))
    headers = [
      .init(name: "Content-Type", value: "text/html;charset=utf-8"), .init(name: "Cache-Control", value: "no-store"),
    ]
  }
}
