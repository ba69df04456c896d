import Callsign
import CallsignHTTP
import Foundation
import TestSupport
import Testing

/// Defaults, cookies and enums of numbers, as a server gets them.
@Suite struct DefaultTests {
  @Test("Defaults are sent if the call asks for them, and never in place of an argument") func defaults() async throws {
    let server = try ShopServer(#"{"data":[]}"#)
    defer { server.stop() }
    _ = try await server.petstore().searchToys(text: "car")
    var options = CallOptions()
    options.sendsDefaults = true
    _ = try await server.petstore().searchToys(text: "car", options: options)
    _ = try await server.petstore().searchToys(
      text: "car", limit: 3, words: [], level: .low, ids: [1], options: options)
    #expect(server.requests.map(\.method) == ["QUERY", "QUERY", "QUERY"])
    #expect(
      server.targets == [
        "/v1/toys/search", "/v1/toys/search?level=2&ids=7&ids=8", "/v1/toys/search?level=1&ids=1",
      ])
    #expect(
      server.requests.map(\.text) == [
        #"{"text":"car"}"#, #"{"text":"car","limit":20,"words":["a","b"]}"#, #"{"text":"car","limit":3,"words":[]}"#,
      ])
  }

  @Test("Enums of numbers and closed ones are sent by their values") func enums() async throws {
    let server = try ShopServer(#"{"data":[]}"#)
    defer { server.stop() }
    _ = try await server.petstore().searchToys(text: "", level: .unknown(9), side: .right)
    _ = try await server.petstore().searchToys(text: "", level: .high)
    #expect(server.targets == ["/v1/toys/search?level=9&side=right", "/v1/toys/search?level=2"])
  }

  @Test("Cookies are in one field, together with those of the call's credentials") func cookies() async throws {
    let server = try ShopServer(#"{"data":[]}"#)
    defer { server.stop() }
    let key = APIKey("k1", in: .cookie("till"), scheme: "oauth1")
    _ = try await server.petstore(auth: [key]).searchToys(text: "", session: "a b;c=ü%", flags: [.low, .unknown(5)])
    #expect(server.requests.last?["Cookie"] == "session=a%20b%3Bc=%C3%BC%25; flags=1,5; till=k1")
    _ = try await server.petstore().searchToys(text: "", session: nil)
    #expect(server.requests.last?["Cookie"] == nil)
  }
}
