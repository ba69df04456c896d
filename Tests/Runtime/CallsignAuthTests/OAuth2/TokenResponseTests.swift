import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Responses of token endpoints") struct TokenResponseTests {
  private func complete(
    _ respond: @autoclosure @escaping @Sendable () -> TransportResponse
  ) async throws -> (LoginError?, StoredToken?) {
    let provider = MemoryProvider { (_, _) in respond() }
    let store = MemoryTokenStore()
    let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: "myapp://login", configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    let url = try #require(URL(string: "myapp://login?code=the-secret-code&state=\(state)"))
    let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: url) }
    return (error, try await store.token(for: oauth2.key))
  }

  @Test(
    "A response that is not a token is refused, and nothing is kept",
    arguments: [
      ("", "not a JSON object"), ("<html>", "not a JSON object"), ("[]", "not a JSON object"), ("{}", "access_token"),
      (#"{"access_token":5,"token_type":"bearer"}"#, "access_token"),
      (#"{"access_token":"","token_type":"bearer"}"#, "access_token"),
      (#"{"access_token":"a\r\nb","token_type":"bearer"}"#, "access_token"),
      (#"{"access_token":"a b","token_type":"bearer"}"#, "access_token"),
      (#"{"access_token":"SECRET","token_type":"mac"}"#, "token_type"),
    ])
  func bad(_ body: String, _ words: String) async throws {
    let (error, kept) = try await complete(.json(body))
    guard case .unexpectedResponse(let what, let response) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(what.contains(words))
    #expect(response?.body.isEmpty == true, "an error must not carry tokens")
    #expect(error?.description.contains("SECRET") == false)
    #expect(kept == nil)
  }

  @Test(
    "Unusual but harmless responses are read",
    arguments: [
      #"{"access_token":"a","refresh_token":"r"}"#, #"{"access_token":"a","refresh_token":"r","expires_in":0}"#,
      #"{"access_token":"a","refresh_token":"r","expires_in":-1,"token_type":"Bearer"}"#,
      #"{"access_token":"a","refresh_token":"r","expires_in":"soon"}"#,
      #"{"access_token":"a","refresh_token":"r","expires_in":1e300}"#,
      #"{"access_token":"a","refresh_token":"r","scope":["tweet.read"]}"#,
      #"{"access_token":"a","refresh_token":"r","scope":[]}"#, #"{"access_token":"a","refresh_token":"r","scope":5}"#,
      #"{"access_token":"a","refresh_token":"r","token_type":null}"#,
    ])
  func unusual(_ body: String) async throws {
    let (error, kept) = try await complete(.json(body))
    #expect(error == nil)
    #expect(kept?.accessToken == "a" && kept?.refreshToken == "r" && kept?.expires == nil)
    #expect(kept?.scopes == ["tweet.read"])
  }

  @Test("A good token response is read") func good() async throws {
    let (error, kept) = try await complete(
      .json(#"{"access_token":"a","token_type":"BEARER","expires_in":"7200","refresh_token":null,"scope":"x y","z":1}"#)
    )
    #expect(error == nil)
    #expect(kept?.scopes == ["x", "y"])
    #expect(kept?.refreshToken == nil)
    #expect(kept?.expires != nil)
    // If the provider names no scopes, the requested ones apply (RFC 6749 §5.1).
    #expect(try await complete(.json(#"{"access_token":"a","token_type":"bearer"}"#)).1?.scopes == ["tweet.read"])
  }

  @Test("Errors are distinguished, and repeat nothing that was sent")
  func errors() async throws {
    guard case .codeRefused(let words) = try await complete(refusal("invalid_grant", "code the-secret-code is old")).0
    else {
      Issue.record("not .codeRefused")
      return
    }
    #expect(words == "code ‹redacted› is old")
    guard case .refused("unauthorized_client", nil) = try await complete(refusal("unauthorized_client")).0 else {
      Issue.record("not .refused")
      return
    }
    guard case .call(.api(let error)) = try await complete(.json("oops", status: .badGateway)).0 else {
      Issue.record("not .call")
      return
    }
    #expect(error.status == .badGateway)
    guard case .call(.rateLimited) = try await complete(.json("{}", status: .tooManyRequests)).0 else {
      Issue.record("not .call")
      return
    }
    // A redirect could lead to somebody who wants the code.
    let moved = TransportResponse(status: .temporaryRedirect, headerFields: [.location: "https://evil.test/token"])
    guard case .call(.api) = try await complete(moved).0 else {
      Issue.record("not .call")
      return
    }
  }

  @Test("Errors that are not OAuth's repeat nothing that was sent either", arguments: [400, 429, 500])
  func otherErrors(_ status: Int) async throws {
    let response = #"{"errors":[{"title":"the-secret-code?","message":"nothing is known of the-secret-code here"}]}"#
    guard case .call(let error) = try await complete(.json(response, status: .init(code: status))).0 else {
      Issue.record("not .call")
      return
    }
    #expect(error.problems.first?.detail == "nothing is known of ‹redacted› here")
    #expect("\(error) \(error.localizedDescription)".contains("the-secret-code") == false)
    // The error shows the response to anybody who looks for it.
    #expect(error.rawResponse?.body == Data(response.utf8))
  }

  @Test("A secret of five bytes is not repeated either") func shortSecrets() async throws {
    let provider = MemoryProvider { (_, _) in refusal("invalid_grant", "r1234 is old") }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), refresh: "r1234", expiresIn: -5)
    let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(error?.authorization?.advice.contains("‹redacted› is old") == true)
  }

  @Test(
    "A form with one unreadable member is still a token",
    arguments: ["x=%E9", "x=\u{e9}", "x=%", "x=a b", "%E9=x", "expires_in=%", "scope=%E9"])
  func unreadableMember(_ member: String) async throws {
    let (error, kept) = try await complete(.json("\(member)&access_token=a&refresh_token=r&\(member)"))
    #expect(error == nil)
    #expect(kept?.accessToken == "a")
    #expect(kept?.refreshToken == "r")
  }

  @Test(
    "A response that is rejected stores nothing, and costs no login",
    arguments: [
      #"{"access_token":"a2","refresh_token":"r\n2","token_type":"bearer"}"#,
      #"{"access_token":"a2","refresh_token":"r\u00e9","token_type":"bearer"}"#,
      #"{"access_token":"a2","refresh_token":"r\u0000"}"#, #"{"access_token":"a\n2","refresh_token":"r2"}"#,
      #"{"access_token":"a2","refresh_token":"r2","token_type":"mac"}"#, #"{"refresh_token":"r2"}"#,
      #"{"access_token":"a2","refresh_token":"r2"} and more"#,
    ])
  func rejected(_ body: String) async throws {
    let provider = MemoryProvider { (number, request) in
      if number == 1 { return .json(body) }
      // The one before is spent if the provider has given a good one.
      let isSpent = body.contains(#""r2""#) && !request.contains("refresh_token=r2")
      return isSpent ? refusal("invalid_grant") : tokens("a3", "r3")
    }
    provider.good.with { $0 = ["a3"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, refresh: "r1", expiresIn: -5)
    let before = try await store.token(for: oauth2.key)
    let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(error?.authorization != nil)
    #expect(try await store.token(for: oauth2.key) == before)
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(try await store.token(for: oauth2.key)?.refreshToken == "r3")
  }

  @Test("A refusal with a status of success is one")
  func refusedWithSuccess() async throws {
    let response = #"{"error":"bad_verification_code","error_description":"the-secret-code is old"}"#
    guard case .refused("bad_verification_code", nil) = try await complete(.json(response)).0 else {
      Issue.record("not .refused")
      return
    }
    // This says nothing against the request.
    let later = #"{"error":"temporarily_unavailable"}"#
    guard case .refused("temporarily_unavailable", nil) = try await complete(.json(later)).0 else {
      Issue.record("not .refused")
      return
    }
    let provider = MemoryProvider { (_, _) in .json(#"{"error":"bad_refresh_token"}"#) }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), expiresIn: -5)
    let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(error?.authorization?.reason == .refused)
    #expect(error?.authorization?.advice.contains("log in again") == true)
  }
}
