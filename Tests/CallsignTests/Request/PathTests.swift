import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
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
    guard case .invalidCall(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(problem.parameter == "id")
    #expect(problem.reason == (value.isEmpty ? .emptyPathValue : .dotPathValue))
  }

  @Test("Missing value is refused") func missingValueIsRefused() async throws {
    var call = Call(listEndpoint)
    call.path("id", "1")
    let (error, requests) = await failure(call)
    #expect(requests.isEmpty)
    guard case .invalidCall(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(problem == InvalidCall(endpoint: "testCall", parameter: "list_id", reason: .missingPathValue))
    #expect("\(problem)".contains("list_id"))
  }

  @Test("The first problem is reported") func theFirstProblemIsReported() async throws {
    var call = Call(listEndpoint)
    call.path("id", "")
    call.path("list_id", "..")
    let (error, _) = await failure(call)
    guard case .invalidCall(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(problem.parameter == "id")
  }

  @Test("Lists and numbers stand in a path") func listsAndNumbers() async throws {
    var call = Call(Callsign.Endpoint("x", "GET", "https://api.example", "/a/{ids}/{n}/{flag}", auth: "none"))
    call.path("ids", ["1", "2"])
    call.path("n", 7)
    call.path("flag", true)
    #expect(try await sent(call).head.path == "/a/1%2C2/7/true")
  }
}
