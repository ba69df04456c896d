import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// References without a host in responses: they are meant by the URL of the response that has them (RFC 3986 §5.1.3).
@Suite struct RelativeReferenceTests {
  private struct Shop: APIClient {
    let client: Client
    static let baseURLs: [StaticString] = ["https://api.example/v2", "https://upload.example/v2"]
  }

  /// Responds to each path with itself, and with the reference to the next page that it has, in a `Link` field and in the body.
  private func transport(_ next: [String: String]) -> InMemoryTransport {
    InMemoryTransport { request in
      let target = request.head.path ?? ""
      let path = target.hasPrefix("/below/") ? String(target.dropFirst("/below".count)) : target
      if path == "/moved" { return .json("{}", status: .found, headerFields: [.location: "\(target)/here/"]) }
      var fields = HTTPFields()
      if let name = HTTPField.Name("Link"), let link = next[path] { fields[name] = "<\(link)>; rel=next" }
      let member = next[path].map { #","next":"\#($0)""# } ?? ""
      return .json(#"{"items":["\#(path)"]\#(member)}"#, headerFields: fields)
    }
  }

  private func pages(_ client: Client, _ call: Call, byLink: Bool) -> Pages<JSONValue, String> {
    let items: @Sendable (JSONValue) -> [String] = { $0["items"]?.array?.compactMap(\.string) ?? [] }
    if byLink { return Pages(client, call, .link, items: items) }
    return Pages(client, call, .url, next: { $0["next"]?.string }, items: items)
  }

  @Test(
    "A page's reference to the next one is relative to that page, not to the first",
    arguments: [true, false], [BaseURLOverrides.identity, .all(to: "http://127.0.0.1:1/below")])
  func nextPages(byLink: Bool, hosts: BaseURLOverrides) async throws {
    let transport = transport([
      "/items": "pages/2", "/pages/2": "3", "/pages/3": "?part=4", "/pages/3?part=4": "../end",
    ])
    let pages = pages(client([], hosts: hosts, transport), Call(endpoint("GET", "/items")), byLink: byLink)
    let all = ["/items", "/pages/2", "/pages/3", "/pages/3?part=4", "/end"]
    var paths: [String] = []
    for try await path in pages.items { paths.append(path) }
    #expect(paths == all)
    // Where to go on is said without the page that said it.
    var iterator = pages.makeAsyncIterator()
    for _ in 0..<2 { _ = try await iterator.next() }
    #expect(iterator.token == "https://api.example/pages/3")
    var rest: [String] = []
    for try await path in pages.resuming(from: iterator.token).items { rest.append(path) }
    #expect(rest == Array(all.suffix(3)))
  }

  @Test("After a redirect, references are relative to its target", arguments: [true, false])
  func redirected(byLink: Bool) async throws {
    let transport = transport(["/moved/here/": "2"])
    let pages = pages(client([], transport), Call(endpoint("GET", "/moved")), byLink: byLink)
    var paths: [String] = []
    for try await path in pages.items { paths.append(path) }
    #expect(paths == ["/moved/here/", "/moved/here/2"])
  }

  @Test("A reference with only a host leads nowhere else", arguments: [true, false])
  func foreignHost(byLink: Bool) async throws {
    let transport = transport(["/items": "//evil.example/2"])
    let pages = pages(client([], transport), Call(endpoint("GET", "/items")), byLink: byLink)
    let error = await #expect(throws: CallError.self) { for try await _ in pages {} }
    guard case .unexpectedContent(let content)? = error else {
      Issue.record("not .unexpectedContent")
      return
    }
    #expect(content.kind == .foreignPage)
    #expect(transport.requests.count == 1)
  }

  /// Responds to what is started with the reference to its state.
  private func starting(_ location: String) -> InMemoryTransport {
    InMemoryTransport { request in
      request.method == .post
        ? .json(#"{"id":1}"#, status: .accepted, headerFields: [.location: location]) : .json(#"{"done":true}"#)
    }
  }

  @Test(
    "The URL of an operation's state is relative to that of the response that names it",
    arguments: [
      ("/exports/7/start", "status", "https://api.example/v2/exports/7/status"),
      ("/exports/7/start", "/v2/jobs/1", "https://api.example/v2/jobs/1"),
      ("https://upload.example/v2/jobs", "jobs/2?full=true", "https://upload.example/v2/jobs/2?full=true"),
      ("https://upload.example/v2/jobs", "https://api.example/v2/jobs/2", "https://api.example/v2/jobs/2"),
    ])
  func operation(start: String, location: String, state: String) async throws {
    let transport = starting(location)
    let shop = Shop(client: client([], transport))
    let started = try await shop.call(.post, start)
    let operation = LongRunningOperation<JSONValue, JSONValue>(
      shop, started, at: started.rawResponse.headers[.location], every: .seconds(1))
    #expect(try await operation.result().value["done"]?.bool == true)
    _ = try await shop.status(at: location, in: started.rawResponse, as: JSONValue.self)
    #expect(transport.requests.dropFirst().map(\.url.text) == [state, state])
  }

  @Test("The state of an operation that was started at a host outside of the API is not requested there")
  func foreignOperation() async throws {
    let transport = starting("status")
    let shop = Shop(client: client([], transport))
    let started = try await shop.call(.post, "https://elsewhere.example/start")
    let operation = LongRunningOperation<JSONValue, JSONValue>(
      shop, started, at: started.rawResponse.headers[.location], every: .seconds(1))
    let error = await #expect(throws: CallError.self) { _ = try await operation.result() }
    guard case .invalidCall? = error else {
      Issue.record("not .invalidCall")
      return
    }
    #expect(transport.requests.count == 1)
  }
}
