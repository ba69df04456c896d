import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite struct QueryTests {
  private func path(_ build: (inout Call) -> Void) async throws -> String? {
    var call = Call(endpoint())
    build(&call)
    return try await sent(call).head.path
  }

  @Test("Left out, null and a value are three requests") func leftOutNullAndValueAreThreeRequests() async throws {
    #expect(try await path { $0.query("nickname", String?.none) } == "/2/things")
    #expect(try await path { $0.query("nickname", Nullable<String>?.none) } == "/2/things")
    #expect(try await path { $0.query("nickname", Nullable<String>?.some(.null)) } == "/2/things?nickname=")
    #expect(try await path { $0.query("nickname", Nullable<String>?.some(.value("Rex"))) } == "/2/things?nickname=Rex")
    #expect(try await path { $0.query("flag", Bool?.some(false)) } == "/2/things?flag=false")
    #expect(try await path { $0.query("list", Nullable<[String]>?.some(.null)) } == "/2/things?list=")
  }

  @Test("A list is written in its style") func listStyles() async throws {
    let values = ["a", "b c", "d,e"]
    #expect(try await path { $0.query("x", values) } == "/2/things?x=a,b%20c,d%2Ce")
    #expect(try await path { $0.query("x", values, list: .space) } == "/2/things?x=a%20b%20c%20d%2Ce")
    #expect(try await path { $0.query("x", values, list: .repeat) } == "/2/things?x=a&x=b%20c&x=d%2Ce")
    #expect(
      try await path { $0.query("x", values, list: .brackets) } == "/2/things?x%5B%5D=a&x%5B%5D=b%20c&x%5B%5D=d%2Ce")
    #expect(try await path { $0.query("x", [String]()) } == "/2/things?x=")
    #expect(try await path { $0.query("x", [String](), list: .repeat) } == "/2/things")
    #expect(try await path { $0.query("x", [String]?.none) } == "/2/things")
  }

  @Test("Reserved characters stay in values that may have them, and in no others") func reservedCharacters()
    async throws
  {
    let text = try await path {
      $0.query("a/b", "c/d")
      $0.withReserved {
        $0.query("e/[f]=", "g/[h]=&#+i,j")
        $0.query("none", String?.none)
      }
      $0.withReserved { $0.query("none", String?.none) }
      $0.withReserved(list: .comma) { $0.query("list", ["k/l,m", "n"]) }
      $0.query("o", "p/q")
    }
    #expect(
      text == "/2/things?a%2Fb=c%2Fd&e%2F%5Bf%5D%3D=g/[h]=%26%23%2Bi,j&list=k/l%2Cm,n&o=p%2Fq")
  }

  @Test("The order is the caller's") func orderIsTheCallers() async throws {
    let text = try await path {
      $0.query("z", 1)
      $0.query("a", 2.5)
      $0.query("m", true)
    }
    #expect(text == "/2/things?z=1&a=2.5&m=true")
  }

  @Test("A date is written in its format") func dates() async throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(try await path { $0.query("since", date, .seconds) } == "/2/things?since=1700000000")
    #expect(try await path { $0.query("since", date, .day) } == "/2/things?since=2023-11-14")
    #expect(try await path { $0.query("since", Nullable<Date>?.some(.null), .day) } == "/2/things?since=")
    let standard = try #require(try await path { $0.query("since", date) })
    #expect(standard == "/2/things?since=2023-11-14T22%3A13%3A20Z")
  }

  @Test("An endpoint's own query stays") func anEndpointsOwnQueryStays() async throws {
    var call = Call(endpoint("GET", "/2/things?kind=a"))
    call.query("x", "1")
    #expect(try await sent(call).head.path == "/2/things?kind=a&x=1")
  }

  @Test("Every text arrives as it was") func everyTextArrivesAsItWas() async throws {
    var random = SeededGenerator(seed: 20_261_121)
    for _ in 0..<300 {
      let first = random.text(length: 0...20)
      let second = random.text(length: 0...20)
      let path = try #require(
        try await path {
          $0.query("first", first)
          $0.query("second", second)
        })
      let query = try #require(path.split(separator: "?", maxSplits: 1).last).description
      #expect(decodeForm(query) == [["first", first], ["second", second]])
      #expect(query.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }
  }

  @Test("Rules count what is sent") func rulesCountWhatIsSent() async throws {
    func problem(_ build: (inout Call) -> Void) async -> InvalidCall.Reason? {
      var call = Call(endpoint())
      build(&call)
      let (error, requests) = await failure(call)
      guard case .invalidCall(let problem) = error else { return nil }
      #expect(requests.isEmpty)
      return problem.reason
    }
    #expect(await problem { $0.requireOne(of: "a", "b") } == .notExactlyOne(of: ["a", "b"]))
    #expect(
      await problem {
        $0.query("a", 1)
        $0.query("b", 1)
        $0.requireOne(of: "a", "b")
      } == .notExactlyOne(of: ["a", "b"]))
    #expect(
      await problem {
        $0.query("a", 1)
        $0.query("b", Int?.none)
        $0.requireOne(of: "a", "b")
      } == nil)
    #expect(await problem { $0.requireAny(of: "a", "b") } == .none(of: ["a", "b"]))
    #expect(
      await problem {
        $0.query("a", 1)
        $0.requireAll(of: "a", "b")
      } == .notAll(of: ["a", "b"]))
    #expect(await problem { $0.requireAll(of: "a", "b") } == nil)
  }

  @Test("Copies are independent") func copiesAreIndependent() async throws {
    var first = Call(endpoint())
    first.query("a", 1)
    var second = first
    second.query("b", 2)
    first.query("c", 3)
    #expect(try await sent(first).head.path == "/2/things?a=1&c=3")
    #expect(try await sent(second).head.path == "/2/things?a=1&b=2")
  }
}
