import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// Pages of all kinds, responded without a socket.
@Suite struct FormPageTests {
  private static let login = """
    <form method=post action=/login><input name=user><input type=password name=pw><input type=submit></form>
    """

  /// Logs in at a server that answers the first request with one page, and later requests with others.
  private func run(
    _ pages: [String], callback: String? = nil, statuses: [HTTPResponse.Status] = [],
    url: String = "https://login.example/a/b?c=d",
    headers: @escaping @Sendable (Int) -> HTTPFields = { _ in [:] }
  ) async -> (result: Result<String, FormLoginError>, requests: [TransportRequest]) {
    let count = Counter()
    let transport = InMemoryTransport { _ in
      let index = count.next()
      let status = index < statuses.count ? statuses[index] : .ok
      return TransportResponse(
        status: status, headerFields: headers(index),
        body: Data((pages.isEmpty ? "" : pages[min(index, pages.count - 1)]).utf8))
    }
    let forms = FormLogin(
      hosts: ["login.example", "*.sso.example"], configuration: ClientConfiguration(transport: transport))
    guard let page = URL(string: url) else { return (.failure(.invalidSetup("test")), []) }
    do throws(FormLoginError) {
      let text =
        if let callback {
          try await forms.redirect(at: page, to: callback, username: "al&ice", password: "p w+ü")
        } else { try await forms.pin(at: page, username: "al&ice", password: "p w+ü") }
      return (.success(text), transport.requests)
    } catch { return (.failure(error), transport.requests) }
  }

  private func name(_ result: Result<String, FormLoginError>) -> String {
    switch result {
    case .success(let text): text
    case .failure(let error): FormLoginError?.some(error).name
    }
  }

  @Test("A form sends hidden fields, ticked boxes, choices and one button, but nothing disabled or unticked")
  func fields() async throws {
    let page = """
      <!-- <form method=post><input type=password name=trap></form> --><script>"<form><input type=password>"</script>
      <FORM METHOD="POST" ACTION='../go?x=1&amp;y=%20'>
      <INPUT TYPE=hidden NAME=token VALUE="a&quot;b&#43;&#x3C;&unknown;">
      <input name=csrf type=hidden value='it&apos;s'/><input type=hidden value=nameless>
      <input type="email" name="session[username_or_email]" value="before"><input name=other value=kept>
      <input type=password name="session[password]"><input type=checkbox name=yes checked><input type=checkbox name=no>
      <input type=radio name=r value=1><input type=radio name=r value=2 checked><input name=off disabled value=1>
      <select name=s><option value=1>one<option value=2 selected>two</select><select name=d><option value=a></select>
      <textarea name=t>long &amp; text</textarea><input type=file name=f><input type=reset name=x>
      <button name=cancel value=1>Cancel</button><button name=allow value=1>OK</button><button name=more>More</button>
      <button type=button name=b>B</button></FORM>
      """
    let (result, requests) = await run([page, "<code>1234567</code>"])
    #expect(name(result) == "1234567")
    let request = try #require(requests.last)
    #expect(request.head.method == .post)
    #expect(request.head.path == "/go?x=1&y=%20")
    let body = String(decoding: try await request.body.collect(), as: UTF8.self)
    let pairs = body.split(separator: "&").map {
      $0.split(separator: "=", omittingEmptySubsequences: false).map { $0.removingPercentEncoding ?? "" }
    }
    #expect(
      pairs == [
        ["token", "a\"b+<&unknown;"], ["csrf", "it's"], ["session[username_or_email]", "al&ice"], ["other", "kept"],
        ["session[password]", "p w+ü"], ["yes", "on"], ["r", "2"], ["s", "2"], ["d", "a"], ["t", "long & text"],
        ["allow", "1"],
      ])
    #expect(requests.allSatisfy { $0.head.path?.contains("p%20w") == false })
  }

  @Test(
    "Pages that cannot be filled in",
    arguments: [
      ("", "noForm"), ("<p>text", "noForm"), ("{\"a\":1}", "noForm"),
      ("<form><input name=q></form>", "noPasswordField"),
      ("<form method=post><input type=password name=p></form>", "noUsernameField"),
      ("<form><input name=u><input type=password name=p></form>", "unusableForm"),
      (
        "<form method=post enctype=multipart/form-data><input name=u><input type=password name=p></form>",
        "unusableForm"
      ),
      (
        "<form method=post><input name=u><input type=password name=p><input type=password name=p2></form>",
        "unusableForm"
      ),
      ("<form method=post action='mailto:a@b'><input name=u><input type=password name=p></form>", "unusableForm"),
    ])
  func unusable(page: String, expected: String) async {
    let (result, requests) = await run([page])
    #expect(name(result) == expected)
    #expect(requests.count == 1)
    if case .failure(let error) = result { #expect("\(error)".contains("log in with a browser")) }
  }

  @Test("Several login forms") func severalLoginForms() async {
    #expect(name(await run([Self.login + Self.login]).result) == "severalForms")
    // Another form next to it does not matter.
    #expect(
      name(await run(["<form><input name=q></form>" + Self.login, "<kbd>123-456-789</kbd>"]).result) == "123-456-789")
  }

  @Test(
    "Pages that follow the login",
    arguments: [
      ("<div id=oauth_pin><p>Type it in:</p><kbd><code> 7654321 </code></kbd></div><code>1234567</code>", "7654321"),
      ("<input id=code readonly value='4/abc'>", "4/abc"), ("oauth_verifier=v-1&other=2", "v-1"),
      ("<code>1234567</code><code>7654321</code>", "noResult"), ("<code>oauth_callback</code>", "noResult"),
      ("<span class=spinner>12345</span>", "noResult"), ("", "noResult"),
      (login, "wrongPassword"), ("<form><input type=submit value=Cancel></form>", "noResult"),
    ])
  func afterwards(page: String, expected: String) async {
    let result = await run([Self.login, page]).result
    #expect(name(result) == expected)
    if case .failure(let error) = result { #expect(!"\(error)".contains("p w+ü")) }
  }

  @Test("A bad status means a wrong password or no page") func statuses() async {
    for status in [HTTPResponse.Status.unauthorized, .forbidden] {
      #expect(name(await run([Self.login, "no"], statuses: [.ok, status]).result) == "wrongPassword")
    }
    #expect(
      name(await run([Self.login, "no"], statuses: [.ok, .internalServerError]).result) == "noPage 500")
    #expect(name(await run(["no"], statuses: [.notFound]).result) == "noPage 404")
  }

  @Test("Ways back to the app: a redirect, a refresh or a link, but not the link for refusing")
  func waysBack() async {
    let callback = "my-app://done?a=b"
    let back = "my-app://done?a=b&code=1"
    let redirected = await run([Self.login, ""], callback: callback, statuses: [.ok, .found]) {
      $0 == 1 ? [.location: back] : [:]
    }
    #expect(name(redirected.result) == back)
    #expect(redirected.requests.count == 2)
    for page in [
      "<meta http-equiv=Refresh content='0; URL=my-app://done?a=b&amp;code=1'>",
      "<a href='my-app://done?a=b&amp;code=1'>back</a>",
    ] {
      #expect(name(await run([Self.login, page], callback: callback).result) == back)
    }
    #expect(
      name(await run([Self.login, "<a href='my-app://done?a=b&denied=1'>"], callback: callback).result)
        == "noResult")
    #expect(name(await run([Self.login, ""], callback: "no url").result) == "invalidSetup")
  }

  @Test(
    "Pages, redirects and forms lead only to the named hosts, and never over an unencrypted connection",
    arguments: [
      "https://evil.example/", "//evil.example/", "https://login.example.evil/", "https://sso.example/",
      "https://login.example:444/",
      "https://alice:pw@login.example/", "http://login.example/",
    ])
  func leadingAway(target: String) async {
    let expected = target.hasPrefix("http://") ? "unencrypted" : "foreignHost"
    let form = Self.login.replacingOccurrences(of: "action=/login", with: "action=\"\(target)\"")
    let sentAway = await run([form])
    let redirected = await run([""], statuses: [.found]) { _ in [.location: target] }
    let afterwards = await run([Self.login, ""], statuses: [.ok, .temporaryRedirect]) {
      $0 == 1 ? [.location: target] : [:]
    }
    for (attempt, requests) in [(sentAway, 1), (redirected, 1), (afterwards, 2)] {
      #expect(name(attempt.result) == expected)
      #expect(attempt.requests.count == requests)
    }
    let start = target.hasPrefix("//") ? "https:\(target)" : target
    #expect(name(await run([Self.login], url: start).result) == expected)
  }

  @Test("Pages without end are refused") func withoutEnd() async {
    #expect(
      name(await run([""], statuses: Array(repeating: .found, count: 99)) { _ in [.location: "/again"] }.result)
        == "tooManyPages")
    let asking = "<form method=post><input type=submit></form>"
    #expect(name(await run([Self.login, asking]).result) == "tooManyPages")
  }

  @Test("Failures on the way") func network() async throws {
    let page = try #require(URL(string: "https://login.example/"))
    let lost = InMemoryTransport { _ throws(TransportError) in
      throw TransportError(.cannotConnect, delivery: .notSent)
    }
    let forms = FormLogin(hosts: ["login.example"], configuration: ClientConfiguration(transport: lost))
    let error = await failure { () throws(FormLoginError) in try await forms.pin(at: page, username: "a", password: "p")
    }
    #expect(error.name == "transport")
    let cancelled = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(FormLoginError) in try await forms.pin(at: page, username: "a", password: "p") }
        .name
    }.value
    #expect(cancelled == "cancelled")
  }

  @Test("Cookies stay with their host, path and time")
  func cookies() async throws {
    let (result, requests) = await run(
      [Self.login, "", "<code>1234567</code>"], statuses: [.ok, .seeOther]
    ) { index in
      var headers = HTTPFields()
      if index == 0 {
        for text in [
          "a=1; Path=/", "b=2; Path=/elsewhere", "c=3; Domain=evil.example",
          "d=4; Domain=.login.example; Secure; Path=/", "=nothing",
        ] {
          headers.append(HTTPField(name: .setCookie, value: text))
        }
      } else if index == 1 {
        headers.append(HTTPField(name: .setCookie, value: "a=; Max-Age=0; Path=/"))
        headers[.location] = "https://one.sso.example/a/"
      }
      return headers
    }
    #expect(name(result) == "1234567")
    #expect(requests.map { $0.head.headerFields[.cookie] } == [nil, "a=1; d=4", nil])
    #expect(requests.last?.head.method == .get)
  }

  @Test("Whatever a page contains, reading it ends with a result or a typed error")
  func anyPage() async {
    var generator = SeededGenerator(seed: 9)
    let pieces = [
      "<", ">", "</", "/>", "<form", "<form method=post>", "</form>", "<input ", "type=password ", "name=p ", "name='",
      "value=\"",
      "<script>", "</script", "<!--", "-->", "<!", "<?", "<textarea name=t>", "</textarea>", "<select name=s>",
      "<option value=1 selected>",
      "<code>", "</code>", "1234567", "&amp;", "&#x110000;", "&#", "&", "=", "\"", "'", " ", "\u{0}", "é", "<button>",
      "<meta http-equiv=refresh content='0;url=",
      "<div id=pin>", "</div>", "<a href=",
    ]
    for _ in 0..<500 {
      let page = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
        pieces.randomElement(using: &generator)
      }.joined()
      for pages in [[page], [Self.login, page]] {
        if case .failure(let error) = await run(pages).result { #expect(!"\(error)".isEmpty) }
      }
    }
    // The time for deep and long ones is linear in their length.
    for piece in [
      "<form>", "<div id=pin>", "<code>", "<!--", "<", "</", "<a ", "&", "<script>", "<input a=\"", "<textarea>",
    ] {
      _ = await run([Self.login, String(repeating: piece, count: 30_000)])
    }
  }
}

private final class Counter: @unchecked Sendable {
  // Reason for `@unchecked`: every access holds the lock.
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.withLock {
      defer { count += 1 }
      return count
    }
  }
}
