import Callsign
import CallsignTesting
import CallsignX
import Testing
import XSandbox

@Suite("Requests that cannot be sent")
struct RequestRefusalTests {
  private static let injections = ["a\r\nX-Injected: yes", "a\nb", "a\rb", "a\u{0}b", "a\u{7F}b"]

  private func invalid(_ error: CallError?, _ location: SourceLocation = #_sourceLocation) -> InvalidCall? {
    guard case .invalidCall(let problem)? = error else {
      Issue.record("\(String(describing: error))", sourceLocation: location)
      return nil
    }
    return problem
  }

  @Test("Header fields with control characters are refused before anything is sent", arguments: injections)
  func headers(_ value: String) async throws {
    try await withSession { (session) async throws in
      for headers in [["X-Note": value], [value: "note"]] {
        let error = await failure { () throws(CallError) in
          try await session.x.getUsersMe(options: CallOptions(headers: headers))
        }
        let problem = invalid(error)
        #expect(problem?.reason == .headerField)
        #expect(!"\(String(describing: error))".contains { $0.isNewline || $0 == "\0" }, "a log line stays one line")
      }
      #expect(await session.requests() == [])
    }
  }

  @Test("Header fields that belong to the transfer are refused", arguments: ["Host", "content-length", "Connection"])
  func reserved(_ name: String) async throws {
    try await withSession { (session) async throws in
      let error = await failure { () throws(CallError) in
        try await session.x.getUsersMe(options: CallOptions(headers: [name: "1"]))
      }
      #expect(invalid(error)?.reason == .reservedHeaderField)
      #expect(await session.requests() == [])
    }
  }

  @Test("URLs with control characters are refused", arguments: injections)
  func urls(_ value: String) async throws {
    try await withSession { (session) async throws in
      for url in ["2/users/\(value)", "https://api.x.com/2/users/me?x=\(value)", "https://api.x.com\(value)/2"] {
        let error = await failure { () throws(CallError) in try await session.x.call(.get, url) }
        #expect(invalid(error) != nil)
      }
      #expect(await session.requests() == [])
    }
  }

  @Test("In a path or query value they are data, encoded, and end neither", arguments: injections)
  func values(_ value: String) async throws {
    try await withSession { (session) async throws in
      _ = await failure { () throws(CallError) in
        try await session.x.getUsersById(id: value, userFields: [.unknown(value)])
      }
      let request = try #require(await session.lastRequest())
      #expect(request.path.hasPrefix("/2/users/a%"))
      #expect(request.query.map(\.value) == [value])
      #expect(request.header("X-Injected") == nil)
      #expect(request.status == 400, "understood, signature included, and found to be no id")
    }
  }

  @Test("A path value cannot leave its place", arguments: ["", ".", ".."])
  func dots(_ value: String) async throws {
    try await withSession { (session) async throws in
      let error = await failure { () throws(CallError) in try await session.x.getUsersById(id: value) }
      #expect(invalid(error)?.parameter == "id")
      #expect(await session.requests() == [])
    }
  }

  @Test("Slashes, question marks and fragments in a path value", arguments: ["../me", "1?x=y", "1#f", "a/b", "%2e%2e"])
  func slashes(_ value: String) async throws {
    try await withSession { (session) async throws in
      let error = await failure { () throws(CallError) in try await session.x.getUsersById(id: value) }
      #expect(error?.rawResponse?.status == .badRequest)
      let path = try #require(await session.lastRequest()?.path)
      #expect(path.hasPrefix("/2/users/"))
      #expect(path.filter { $0 == "/" }.count == 3)
      #expect(path.removingPercentEncoding == "/2/users/\(value)")
    }
  }
}
