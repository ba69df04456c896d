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

@Suite struct HeaderTests {
  @Test("Header fields of every request") func whatEveryRequestCarries() async throws {
    let fields = try await sent(Call(endpoint())).head.headerFields
    #expect(fields[.accept] == "application/json")
    #expect(fields[.userAgent]?.hasPrefix("Callsign/") == true)
    #expect(fields[.authorization] == nil)
  }

  @Test("Header fields come from parameters and from options") func parametersAndOptions() async throws {
    var call = Call(endpoint(), CallOptions(headers: ["Accept": "text/plain", "X-Trace": "t"]))
    call.add("X-Number", 5, in: .header)
    call.add("X-List", ["a", "b"], in: .header)
    call.add("X-Absent", String?.none, in: .header)
    call.add("X-Null", Nullable<String>?.some(.null), in: .header)
    let fields = try await sent(call).head.headerFields
    #expect(fields[.accept] == "text/plain")
    for (name, value) in ["X-Trace": "t", "X-Number": "5", "X-List": "a,b", "X-Null": ""] {
      #expect(fields[try #require(HTTPField.Name(name))] == value)
    }
    #expect(fields[try #require(HTTPField.Name("X-Absent"))] == nil)
  }

  @Test(
    "Control characters are refused",
    arguments: ["a\r\nX-Injected: 1", "a\nb", "a\rb", "a\u{0}b", "\u{7F}", "a\u{1B}[2J"])
  func controlCharactersAreRefused(value: String) async throws {
    var call = Call(endpoint())
    call.add("X-Name", value, in: .header)
    for call in [call, Call(endpoint(), CallOptions(headers: ["X-Name": value]))] {
      let (error, requests) = await failure(call)
      #expect(requests.isEmpty)
      guard case .invalidCall(let problem) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(problem.reason == .headerField)
      #expect(problem.parameter == "X-Name")
    }
  }

  @Test("A text that is not a field name is refused", arguments: ["", "X Name", "X:Name", "X\r\nY", "Näme"])
  func namesThatAreNoneAreRefused(name: String) async throws {
    let (error, requests) = await failure(Call(endpoint(), CallOptions(headers: [name: "v"])))
    #expect(requests.isEmpty)
    guard case .invalidCall(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .headerField)
    #expect(!"\(problem)".contains("\n"))
  }

  @Test(
    "The transfer's own fields are refused",
    arguments: ["Host", "host", "Content-Length", "Transfer-Encoding", "connection"])
  func theTransfersOwnFieldsAreRefused(name: String) async throws {
    let (error, requests) = await failure(Call(endpoint(), CallOptions(headers: [name: "1"])))
    #expect(requests.isEmpty)
    guard case .invalidCall(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .reservedHeaderField)
  }

  @Test("A call has the timeouts of its options") func timeouts() async throws {
    let own = Timeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
    let request = try await sent(Call(endpoint(), CallOptions(timeouts: own))) {
      $0.timeouts = Timeouts(total: .seconds(9))
    }
    #expect(request.timeouts == own)
    let other = try await sent(Call(endpoint())) { $0.timeouts = Timeouts(total: .seconds(9)) }
    #expect(other.timeouts.total == .seconds(9))
  }
}
