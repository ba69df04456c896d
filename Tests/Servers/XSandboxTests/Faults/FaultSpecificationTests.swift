import Foundation
import Testing

@testable import XSandbox

@Suite("Faults in text")
struct FaultSpecificationTests {
  @Test(
    "Valid texts are read",
    arguments: [
      ("GET /2/users/me=429 x3 retry-after=2", "GET /2/users/me"), ("*=cut", "*"), ("*=lose-response after=2", "*"),
      ("* = cut-in-body:20 x2", "*"), ("POST /2/oauth2/token=delay:1.5s", "POST /2/oauth2/token"),
      ("*=delay:20ms", "*"), ("*=truncate:0", "*"), ("*=empty", "*"), ("*=split:1 pause=5ms", "*"),
      ("*=slow:100", "*"), ("*=type:text/html", "*"), ("*=errors", "*"), ("*=proxy", "*"), ("*=proxy:504", "*"),
      ("*=blank:403", "*"), ("*=clock", "*"), ("*=client-not-enrolled x9", "*"),
      ("*=credits-depleted", "*"), ("*=spend-cap-reached x2", "*"),
      ("*=429 reset=60 user-day=17 app-day=5", "*"), ("*=random:0.25 seed=9", "*"),
    ])
  func accepted(text: String, operation: String) throws {
    #expect(try Sandbox.FaultSpecification(text).operation == operation)
  }

  @Test(
    "A mistake in a text is named",
    arguments: [
      ("GET /2/users/me", "no `=`"), ("get /2/users/me=500", "upper case"), ("/2/users/me=500", "is not an operation"),
      ("GET 2/users=500", "is not an operation"), ("*=", "names no fault"), ("*=200", "400 to 599"),
      ("*=nonsense", "is not a fault"), ("*=500 x0", "from 1 on"), ("*=500 xx", "from 1 on"),
      ("*=500 twice", "`twice` has no meaning"), ("*=cut retry-after=3", "has no meaning"), ("*=cut:3", "colon"),
      ("*=delay:5", "duration"), ("*=delay", "duration"), ("*=delay:-1s", "duration"), ("*=delay:nans", "duration"),
      ("*=split:0", "from 1 on"), ("*=truncate", "whole number"), ("*=type:html", "media type"),
      ("*=proxy:200", "from 400 to 599"), ("*=random:2", "from 0 to 1"), ("*=random", "from 0 to 1"),
      ("*=429 retry-after=soon", "not `soon`"), ("*=500 after=-1", "from 0 on"), ("*=random:0.5 x3", "has no meaning"),
      ("*=429 reset=9223372036854775807", "reset"),
      ("*=delay:1e400s", "duration"), ("*=random:nan", "from 0 to 1"),
      ("GET /2/nope=429", "has no operation `GET /2/nope`"),
      ("GET /2/users/7=429", "did you mean `GET /2/users/{id}`?"),
      ("PATCH /2/users/me=429", "did you mean `GET /2/users/me`?"),
      ("GET /2/usrs/me=429", "did you mean `GET /2/users/me`?"),
      ("GET /2/users/mee=429", "did you mean `GET /2/users/me`?"),
    ])
  func refused(text: String, words: String) {
    do {
      _ = try Sandbox.FaultSpecification(text)
      Issue.record("\(text) was accepted")
    } catch {
      #expect(error.description.contains(words), "\(error)")
      #expect(error.description.contains(text))
      #expect(!error.description.hasSuffix("?."), "\(error)")
    }
  }

  @Test("Everything that a request can be for may have a fault")
  func operations() throws {
    let keys =
      OperationTable.all.map(\.key) + AuthorizationEndpoint.all.map(\.key) + FaultSpecification.furtherOperations
    for key in keys { #expect(try Sandbox.FaultSpecification("\(key)=500").operation == key) }
    let files = try [("PUT", "upload"), ("GET", "result")].map { method, file in
      let request = IncomingRequest(
        method: method, path: "\(ComplianceFiles.path)/7/\(file)", query: "", headers: [], body: Data())
      return try #require(try ComplianceFiles.find(request)).key
    }
    #expect(FaultSpecification.furtherOperations == files + [MessageMedia.key])
  }

  @Test("Text changed at random is read or refused")
  func fuzz() {
    var generator = SplitMix64(seed: 11)
    let seeds = ["GET /2/users/me=429 x3 retry-after=2", "*=split:10 pause=5ms after=2", "*=random:0.5 seed=3"]
    let alphabet = Array("=:x *0123456789.-msé\u{0}/GETabc")
    for _ in 0..<5_000 {
      var text = Array(seeds[Int(generator.next() % 3)])
      for _ in 0..<Int(generator.next() % 4 + 1) {
        let place = Int(generator.next() % UInt64(text.count))
        text[place] = alphabet[Int(generator.next() % UInt64(alphabet.count))]
      }
      do throws(FaultSpecificationError) { _ = try Sandbox.FaultSpecification(String(text)) } catch {
        #expect(!error.reason.isEmpty)
      }
    }
  }

  @Test("Faults from text happen")
  func happen() async throws {
    try await withSandbox { (sandbox) async throws in
      await sandbox.inject(try Sandbox.FaultSpecification("GET /2/users/me=429 x2 after=1 retry-after=2"))
      await sandbox.inject(try Sandbox.FaultSpecification("GET /2/users/me=truncate:3"))
      let client = TestClient.alice(sandbox)
      #expect(try await client.get("/2/users/me").body.count == 3)
      for _ in 0..<2 {
        let limited = try await client.get("/2/users/me")
        #expect((limited.status, limited.header("Retry-After")) == (429, "2"))
      }
      #expect(try await client.get("/2/users/me").status == 200)
      await sandbox.inject(try Sandbox.FaultSpecification("*=random:1"))
      let before = await sandbox.faultCount
      _ = try? await client.get("/2/users/me")
      #expect(await sandbox.faultCount > before)
    }
  }
}
