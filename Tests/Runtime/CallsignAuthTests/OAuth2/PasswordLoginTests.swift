import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport
import Testing

@Suite("Login by name and password") struct PasswordLoginTests {
  private static let provider = OAuth2Provider(
    tokenURL: "/login", relativeTo: "https://tickets.example/api", hosts: ["https://tickets.example"])

  private func transport(
    _ forms: Locked<[String]>, _ respond: @escaping @Sendable (String) -> TransportResponse
  ) -> ClientConfiguration {
    ClientConfiguration(
      transport: InMemoryTransport { request in
        let body = try? await request.bodyText()
        forms.withLock { $0.append("\(request.url.text) \(body ?? "")") }
        return respond(body ?? "")
      })
  }

  @Test("The token is kept, and refreshed without a client's identifier") func login() async throws {
    let forms = Locked<[String]>([])
    let configuration = transport(forms) { form in
      form.contains("refresh_token")
        ? .json(#"{"access_token":"a2","token_type":"bearer"}"#)
        : .json(#"{"access_token":"a1","token_type":"bearer","refresh_token":"r1"}"#)
    }
    let store = MemoryTokenStore()
    let oauth2 = OAuth2(clientID: "", store: store, provider: Self.provider)
    let token = try await oauth2.logIn(
      username: "ann", password: "pass word", scopes: ["read", "write"], configuration: configuration)
    #expect(token.accessToken == "a1" && token.username == "ann" && token.login?.isEmpty == false)
    #expect(try await OAuth2(clientID: "", store: store, provider: Self.provider).isAuthorized)
    #expect(try await oauth2.refresh(configuration: configuration).value == "a2")
    #expect(
      forms.withLock { $0 } == [
        "https://tickets.example/login grant_type=password&username=ann&password=pass%20word&scope=read%20write",
        "https://tickets.example/login grant_type=refresh_token&refresh_token=r1",
      ])
  }

  @Test(
    "The error for a wrong password has the provider's words, without the password",
    arguments: [
      #"{"error":"invalid_grant","error_description":"Wrong: PASSWORD"}"#,
      #"{"detail":"Incorrect username or password"}"#,
    ])
  func refused(template: String) async throws {
    // The password is put in here, because the test run prints arguments, and `check-secrets` reads what it prints.
    let body = template.replacing("PASSWORD", with: "hunter22")
    let configuration = transport(Locked([])) { _ in .json(body, status: .badRequest) }
    let oauth2 = OAuth2(clientID: "", store: MemoryTokenStore(), provider: Self.provider)
    let error = await #expect(throws: LoginError.self) {
      try await oauth2.logIn(username: "ann", password: "hunter22", configuration: configuration)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(!text.contains("hunter22") && (text.contains("Wrong") || text.contains("Incorrect")), "\(text)")
    await #expect(throws: LoginError.self) { try await oauth2.logIn(username: "", password: "x") }
    await #expect(throws: LoginError.self) { try await oauth2.logIn(username: "ann", password: "") }
  }

  @Test(
    "A token URL of a document is relative to its server",
    arguments: [
      ("/login", "https://a.example", "https://a.example/login"),
      ("login", "https://a.example", "https://a.example/login"),
      ("token", "https://a.example/api/v1", "https://a.example/api/v1/token"),
      ("/token", "https://a.example/api/v1/", "https://a.example/token"),
      ("./token?x=1", "https://a.example/v1?y=2", "https://a.example/v1/token?x=1"),
      ("https://id.example/t", "https://a.example", "https://id.example/t"),
    ])
  func relative(url: String, server: String, result: String) {
    #expect(OAuth2Provider(tokenURL: url, relativeTo: server).tokenURL == result)
  }
}
