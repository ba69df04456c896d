import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite struct PathTests {
  private let listEndpoint = endpoint("GET", "/2/users/{id}/lists/{list_id}")

  private func call(_ id: String, _ list: String = "1") -> Call {
    var call = Call(listEndpoint)
    call.path("id", id)
    call.path("list_id", list)
    return call
  }

  @Test("Placeholders are filled") func placeholdersAreFilled() async throws {
    let request = try await sent(call("12", "34"))
    #expect(request.head.path == "/2/users/12/lists/34")
    #expect(request.head.authority == "api.example")
    #expect(request.head.scheme == "https")
    #expect(request.head.method == .get)
  }

  @Test(
    "Values stay in their segment",
    arguments: [
      ("a/b", "a%2Fb"), ("a?b=c", "a%3Fb%3Dc"), ("a#b", "a%23b"), ("%2F", "%252F"), ("a b+c", "a%20b%2Bc"),
      ("../../admin", "..%2F..%2Fadmin"), ("é", "%C3%A9"), ("-._~", "-._~"),
      ("a\r\nHost: evil", "a%0D%0AHost%3A%20evil"),
      ("{list_id}", "%7Blist_id%7D"), ("a\\b", "a%5Cb"), ("a\u{0}b", "a%00b"), ("...", "..."), ("a;b,c", "a%3Bb%2Cc"),
    ])
  func valuesStayInTheirSegment(value: String, encoded: String) async throws {
    let request = try await sent(call(value))
    #expect(request.head.path == "/2/users/\(encoded)/lists/1")
  }

  @Test("Values that name another resource are refused", arguments: ["", ".", ".."])
  func valuesThatNameAnotherResourceAreRefused(value: String) async throws {
    let (error, requests) = await failure(call(value))
    #expect(requests.isEmpty)
    guard case .invalidCall(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.parameter == "id")
    #expect(problem.reason == (value.isEmpty ? .emptyPathValue : .dotPathValue))
  }

  @Test("Names of placeholders may make one character with a brace") func marksAreNames() async throws {
    var call = Call(endpoint("GET", "/{\u{301}b}/x/{d\u{600}}/{\u{1F3FD}}/{+y\u{200D}}"))
    call.path("\u{301}b", "1")
    call.path("d\u{600}", "2")
    call.path("\u{1F3FD}", "3")
    call.path("y\u{200D}", "4")
    let request = try await sent(call)
    #expect(request.head.path == "/1/x/2/3/4")
  }

  @Test("A missing value is refused") func missingValueIsRefused() async throws {
    var call = Call(listEndpoint)
    call.path("id", "1")
    let (error, requests) = await failure(call)
    #expect(requests.isEmpty)
    guard case .invalidCall(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem == InvalidCall(endpoint: "testCall", parameter: "list_id", reason: .missingPathValue))
    #expect("\(problem)".contains("list_id"))
  }

  @Test("The first problem is reported") func theFirstProblemIsReported() async throws {
    var call = Call(listEndpoint)
    call.path("id", "")
    call.path("list_id", "..")
    let (error, _) = await failure(call)
    guard case .invalidCall(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.parameter == "id")
  }

  @Test("Lists and numbers in a path") func listsAndNumbers() async throws {
    var call = Call(Callsign.Endpoint("x", "GET", "https://api.example", "/a/{ids}/{n}/{flag}", auth: "none"))
    call.path("ids", ["1", "2"])
    call.path("n", 7)
    call.path("flag", true)
    #expect(try await sent(call).head.path == "/a/1,2/7/true")
  }

  private func path(_ template: String, _ build: (inout Call) -> Void) async throws -> String? {
    var call = Call(endpoint("GET", template))
    build(&call)
    return try await sent(call).head.path
  }

  @Test("Separators of a list are not encoded, and the text of its elements is (RFC 6570 §3.2)")
  func lists() async throws {
    let values = ["a,b", "c d", "e.f;g=h|/", "é"]
    let encoded = ["a%2Cb", "c%20d", "e.f%3Bg%3Dh%7C%2F", "%C3%A9"]
    for (style, delimiter) in [
      (ListStyle.comma, ","), (.space, "%20"), (.pipe, "%7C"), (.dot, "."), (.repeat, ";x="),
    ] {
      let text = try await path("/a;x={ids}/b") { $0.path("ids", values, list: style) }
      #expect(text == "/a;x=\(encoded.joined(separator: delimiter))/b")
    }
    let days = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 86_400)]
    #expect(try await path("/a/{days}") { $0.path("days", days, .day) } == "/a/1970-01-01,1970-01-02")
    // Without a `;` there is nothing to repeat.
    #expect(try await path("/a;x=1/{ids}") { $0.path("ids", ["1", "2"], list: .repeat) } == "/a;x=1/1,2")
    #expect(try await path("/a/{+ids}") { $0.path("ids", ["1/2", "3"]) } == "/a/1/2,3")
  }

  @Test("A list or object that would be an empty segment, or one of dots, is refused")
  func emptyLists() async throws {
    func problem(_ build: (inout Call) -> Void) async -> InvalidCall.Reason? {
      var call = Call(endpoint("GET", "/a/{x}"))
      build(&call)
      guard case .invalidCall(let problem) = await failure(call).error else { return nil }
      return problem.reason
    }
    #expect(await problem { $0.path("x", [String]()) } == .emptyPathValue)
    #expect(await problem { $0.path("x", ["", ""], list: .dot) } == .dotPathValue)
    #expect(await problem { $0.path("x", ["", "", ""], list: .dot) } == .dotPathValue)
    #expect(await problem { $0.path("x", [".."]) } == .dotPathValue)
    #expect(await problem { $0.path("x", object: [String: String](), .flat) } == .emptyPathValue)
    guard case .value? = await problem({ $0.path("x", object: ["a": ["b"]], .pairs) }) else {
      Issue.record("a list within an object has no text")
      return
    }
  }

  @Test("An object is the names and values of its members (RFC 6570 §3.2.2)")
  func objects() async throws {
    let value: [String: JSONValue] = ["a": "1,2", "b=": 3, "c": .null, "d": true]
    #expect(try await path("/p/{x}") { $0.path("x", object: value, .flat) } == "/p/a,1%2C2,b%3D,3,d,true")
    #expect(try await path("/p/{x}") { $0.path("x", object: value, .pairs) } == "/p/a=1%2C2,b%3D=3,d=true")
    #expect(
      try await path("/p.{x}") { $0.path("x", object: value, .pairs, list: .dot) } == "/p.a=1%2C2.b%3D=3.d=true")
    #expect(
      try await path("/p;{x}") { $0.path("x", object: value, .pairs, list: .repeat) } == "/p;a=1%2C2;b%3D=3;d=true")
    var call = Call(endpoint("GET", "/p"))
    call.add("q", object: value, .flat, in: .query)
    call.add("none", object: [String: String](), .flat, in: .query)
    call.add("X-Flat", object: ["a": 1, "b": 2], .flat, in: .header)
    call.add("X-Pairs", object: ["a": 1, "b": 2], .pairs, in: .header)
    call.add("c", object: ["a": "1 2"], .flat, in: .cookie)
    let head = try await sent(call).head
    #expect(head.path == "/p?q=a,1%2C2,b%3D,3,d,true")
    func field(_ name: String) -> String? { head.headerFields.first { $0.name.rawName == name }?.value }
    #expect([field("X-Flat"), field("X-Pairs"), field("Cookie")] == ["a,1,b,2", "a=1,b=2", "c=a,1%202"])
  }

  @Test("A placeholder that occurs twice has one value")
  func twice() async throws {
    #expect(try await path("/a/{x}/of/{x}") { $0.path("x", "1/2") } == "/a/1%2F2/of/1%2F2")
  }
}
