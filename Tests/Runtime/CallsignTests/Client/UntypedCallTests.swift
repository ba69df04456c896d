import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

private struct ExampleAPI: APIClient {
  let client: Client
  static let baseURLs: [StaticString] = ["https://api.example/v2", "https://upload.example"]
}

@Suite struct UntypedCallTests {
  private let transport = InMemoryTransport { _ in .json(#"{"ok":true}"#) }
  private var api: ExampleAPI { ExampleAPI(client: client([Bearer("token")], transport)) }

  @Test("Relative paths go to the API") func relativePathsGoToTheAPI() async throws {
    let response = try await api.call(.get, "users/me?a=1", query: ["b c": "d&e", "none": nil, "n": 2])
    #expect(response.value["ok"]?.bool == true)
    _ = try await api.call(.get, "/users/é x")
    let requests = transport.requests
    #expect(requests.map(\.head.path) == ["/v2/users/me?a=1&b%20c=d%26e&n=2", "/v2/users/%C3%A9%20x"])
    #expect(requests.allSatisfy { $0.head.authority == "api.example" && $0.authorization == "Bearer token" })
  }

  @Test("A free call carries each kind of body") func bodies() async throws {
    _ = try await api.call(.post, "posts", body: .json(["text": "hi"]))
    _ = try await api.call(.post, "posts", body: .form(["b": "x y", "a": 1, "c": nil]))
    _ = try await api.call(.put, "posts", body: .data(Data([1]), contentType: "image/png"))
    let form = MultipartBody(parts: [.text(name: "a", value: "b")])
    _ = try await api.call(.post, "posts", body: .multipart(form))
    let requests = transport.requests
    #expect(try await requests[3].bodyText().contains("name=\"a\""))
    #expect(try await requests[0].bodyText() == #"{"text":"hi"}"#)
    #expect(try await requests[1].bodyText() == "a=1&b=x%20y")
    #expect(
      requests.map { $0.head.headerFields[.contentType] } == [
        "application/json", "application/x-www-form-urlencoded", "image/png", form.contentType,
      ])
  }

  @Test("Another host of the API is signed") func anotherHostOfTheAPIIsSigned() async throws {
    _ = try await api.call(.get, "https://upload.example/x")
    #expect(transport.requests.first?.authorization == "Bearer token")
  }

  @Test(
    "Foreign hosts are refused unless unsigned",
    arguments: [
      "https://evil.example/", "https://api.example.evil.example/v2/x", "https://api.example:8443/x",
      "http://api.example/x",
    ])
  func foreignHostsAreRefusedUnlessUnsigned(url: String) async throws {
    do throws(CallError) {
      _ = try await api.call(.get, url)
      Issue.record("no error")
    } catch {
      guard case .authorization(let problem) = error, case .outOfScope = problem.reason else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(transport.requests.isEmpty)
    _ = try await api.call(.get, url, auth: .none)
    #expect(transport.requests.first?.authorization == nil)
    #expect(transport.requests.count == 1)
  }

  @Test("A refusal names the port, without which the host would not be enough")
  func refusalNamesThePort() async throws {
    let client = Client(
      auth: Bearer("token", hosts: ["api.example"]), configuration: ClientConfiguration(transport: transport))
    let error = await #expect(throws: CallError.self) { try await client.call(.get, "https://api.example:8443/x") }
    #expect(error?.description.contains("api.example:8443") == true, "\(String(describing: error))")
    let named = Client(
      auth: Bearer("token", hosts: ["api.example:8443"]), configuration: ClientConfiguration(transport: transport))
    _ = try await named.call(.get, "https://api.example:8443/x")
    #expect(transport.requests.first?.authorization == "Bearer token")
  }

  @Test(
    "URLs that are refused",
    arguments: [
      "https://user:pw@api.example/x", "https://api.example/x#f", "https://api.example/\r\nX: y", "ftp://api.example/x",
      "https://", "https://b\u{FC}cher.example/", "https://a b/",
    ])
  func urlsThatAreRefused(url: String) async throws {
    do throws(CallError) {
      // Without an API there is nothing to resolve against.
      _ = try await api.client.call(.get, url, auth: .none)
      Issue.record("no error")
    } catch {
      guard case .invalidCall(let problem) = error, case .url = problem.reason else {
        Issue.record("\(error)")
        return
      }
      #expect(!"\(error)".contains("\n"))
      #expect(!"\(error)".contains(":pw@"))
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("Backslashes do not change the host") func backslashesDoNotChangeTheHost() async throws {
    _ = try await api.call(.get, "\\\\evil.example/x")
    #expect(transport.requests.first?.head.authority == "api.example")
    #expect(transport.requests.first?.head.path == "/v2/%5C%5Cevil.example/x")
    _ = try await api.call(.get, "//evil.example/x")
    #expect(transport.requests.last?.head.authority == "api.example")
  }

  @Test(
    "An empty response is null, and so is one of white space", arguments: ["", " ", "\r\n", "\u{FEFF}", "\u{FEFF} \n"])
  func anEmptyResponseIsNull(body: String) async throws {
    let client = client([], InMemoryTransport { _ in TransportResponse(status: .accepted, body: Data(body.utf8)) })
    let response = try await ExampleAPI(client: client).call(.delete, "posts/1")
    #expect(response.value.isNull)
    #expect(response.status == .accepted)
  }

  @Test("White space before JSON is not an empty response") func whiteSpaceBeforeJSON() async throws {
    let client = client([], InMemoryTransport { _ in .json("\n {\"ok\": true}") })
    #expect(try await ExampleAPI(client: client).call(.delete, "posts/1").value["ok"]?.bool == true)
  }

  @Test("Credentials can be chosen") func credentialsCanBeChosen() async throws {
    let client = client([Bearer("app"), Bearer("user", scopes: ["a"])], transport)
    _ = try await ExampleAPI(client: client).call(.get, "x", auth: .accepting("oauth2(a)"))
    #expect(transport.requests.first?.authorization == "Bearer user")
  }

  @Test("Polls of an operation's state are always some time apart, whatever the response says", arguments: [1, 2000])
  func operationStatePause(interval: Int) async throws {
    let time = TestTime(.moves)
    let counter = Counter()
    let transport = InMemoryTransport { _ in
      .json("{\"n\":\(counter.next())}", headerFields: [.retryAfter: "0"])
    }
    let api = ExampleAPI(client: Client(auth: [], configuration: ClientConfiguration(transport: transport, time: time)))
    let states = api.statuses(every: .milliseconds(interval), until: { (state: JSONValue) in state["n"]?.int == 2 }) {
      () async throws(CallError) in try await api.status(at: "/exports/1", as: JSONValue.self)
    }
    #expect(try await states.last().value["n"]?.int == 2)
    #expect(time.sleeps == Array(repeating: .milliseconds(min(interval, 1000)), count: 2))
  }
}
