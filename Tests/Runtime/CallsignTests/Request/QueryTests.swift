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
    #expect(try await path { $0.add("nickname", String?.none, in: .query) } == "/2/things")
    #expect(try await path { $0.add("nickname", Nullable<String>?.none, in: .query) } == "/2/things")
    #expect(try await path { $0.add("nickname", Nullable<String>?.some(.null), in: .query) } == "/2/things?nickname=")
    #expect(
      try await path { $0.add("nickname", Nullable<String>?.some(.value("Rex")), in: .query) }
        == "/2/things?nickname=Rex")
    #expect(try await path { $0.add("flag", Bool?.some(false), in: .query) } == "/2/things?flag=false")
    #expect(try await path { $0.add("list", Nullable<[String]>?.some(.null), in: .query) } == "/2/things?list=")
  }

  @Test("A list is written in its style") func listStyles() async throws {
    let values = ["a", "b c", "d,e"]
    #expect(try await path { $0.add("x", values, in: .query) } == "/2/things?x=a,b%20c,d%2Ce")
    #expect(try await path { $0.add("x", values, list: .space, in: .query) } == "/2/things?x=a%20b%20c%20d%2Ce")
    #expect(try await path { $0.add("x", values, list: .repeat, in: .query) } == "/2/things?x=a&x=b%20c&x=d%2Ce")
    #expect(
      try await path { $0.add("x", values, list: .brackets, in: .query) }
        == "/2/things?x%5B%5D=a&x%5B%5D=b%20c&x%5B%5D=d%2Ce")
    #expect(try await path { $0.add("x", [String](), in: .query) } == "/2/things?x=")
    #expect(try await path { $0.add("x", [String](), list: .repeat, in: .query) } == "/2/things")
    #expect(try await path { $0.add("x", [String]?.none, in: .query) } == "/2/things")
  }

  @Test("Reserved characters stay in values that may have them, and in no others") func reservedCharacters()
    async throws
  {
    let text = try await path {
      $0.add("a/b", "c/d", in: .query)
      $0.withReserved {
        $0.add("e/[f]=", "g/[h]=&#+i,j", in: .query)
        $0.add("none", String?.none, in: .query)
      }
      $0.withReserved { $0.add("none", String?.none, in: .query) }
      $0.withReserved(list: .comma) { $0.add("list", ["k/l,m", "n"], in: .query) }
      $0.add("o", "p/q", in: .query)
    }
    #expect(
      text == "/2/things?a%2Fb=c%2Fd&e%2F%5Bf%5D%3D=g/[h]=%26%23%2Bi,j&list=k/l%2Cm,n&o=p%2Fq")
  }

  @Test("The order is the caller's") func orderIsTheCallers() async throws {
    let text = try await path {
      $0.add("z", 1, in: .query)
      $0.add("a", 2.5, in: .query)
      $0.add("m", true, in: .query)
    }
    #expect(text == "/2/things?z=1&a=2.5&m=true")
  }

  @Test("A date is written in its format") func dates() async throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(try await path { $0.add("since", date, .seconds, in: .query) } == "/2/things?since=1700000000")
    #expect(try await path { $0.add("since", date, .day, in: .query) } == "/2/things?since=2023-11-14")
    #expect(try await path { $0.add("since", Nullable<Date>?.some(.null), .day, in: .query) } == "/2/things?since=")
    let standard = try #require(try await path { $0.add("since", date, in: .query) })
    #expect(standard == "/2/things?since=2023-11-14T22%3A13%3A20Z")
  }

  @Test("An endpoint's own query stays") func anEndpointsOwnQueryStays() async throws {
    var call = Call(endpoint("GET", "/2/things?kind=a"))
    call.add("x", "1", in: .query)
    #expect(try await sent(call).head.path == "/2/things?kind=a&x=1")
  }

  @Test("Every text arrives as it was") func everyTextArrivesAsItWas() async throws {
    var random = SeededGenerator(seed: 20_261_121)
    for _ in 0..<300 {
      let first = random.text(length: 0...20)
      let second = random.text(length: 0...20)
      let path = try #require(
        try await path {
          $0.add("first", first, in: .query)
          $0.add("second", second, in: .query)
        })
      let query = try #require(path.split(separator: "?", maxSplits: 1).last).description
      #expect(decodeForm(query) == [["first", first], ["second", second]])
      #expect(query.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }
  }

  @Test("Rules count the parameters that are sent") func rulesCountWhatIsSent() async throws {
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
        $0.add("a", 1, in: .query)
        $0.add("b", 1, in: .query)
        $0.requireOne(of: "a", "b")
      } == .notExactlyOne(of: ["a", "b"]))
    #expect(
      await problem {
        $0.add("a", 1, in: .query)
        $0.add("b", Int?.none, in: .query)
        $0.requireOne(of: "a", "b")
      } == nil)
    #expect(await problem { $0.requireAny(of: "a", "b") } == .none(of: ["a", "b"]))
    #expect(
      await problem {
        $0.add("a", 1, in: .query)
        $0.requireAll(of: "a", "b")
      } == .notAll(of: ["a", "b"]))
    #expect(await problem { $0.requireAll(of: "a", "b") } == nil)
  }

  @Test("Copies are independent") func copiesAreIndependent() async throws {
    var first = Call(endpoint())
    first.add("a", 1, in: .query)
    var second = first
    second.add("b", 2, in: .query)
    first.add("c", 3, in: .query)
    #expect(try await sent(first).head.path == "/2/things?a=1&c=3")
    #expect(try await sent(second).head.path == "/2/things?a=1&b=2")
  }
}
