import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite("Form logins at a provider with pages", .needs(.python(with: "oauthlib.oauth1")))
struct FormProviderTests {
  @Test("Pages that ask whether to continue are answered with yes")
  func consent() async throws {
    try await Provider.with { provider in
      let authorization = try await provider.login(app: "consent").callback("my-app://done")
      let redirect = try await provider.forms.redirect(
        at: authorization.url, to: "my-app://done", username: "alice", password: Provider.password)
      _ = try await authorization.complete(redirect: redirect)
    }
  }

  @Test("A wrong password, and a page that has expired")
  func wrongPassword() async throws {
    try await Provider.with { provider in
      let authorization = try await provider.login().pin()
      let error = await failure { () throws(FormLoginError) in
        try await provider.forms.pin(at: authorization.url, username: "alice", password: "wrong-password-1")
      }
      #expect(error.name == "wrongPassword")
      #expect(!everythingPrinted(error as Any).contains("wrong-password-1"))
      let over = try #require(URL(string: "\(provider.url)/oauth/authorize?oauth_token=unknown"))
      let second = await failure { () throws(FormLoginError) in
        try await provider.forms.pin(at: over, username: "alice", password: "p")
      }
      #expect(second.name == "noPage 401")
      // The page of the log of requests: cookies of one login are not sent in another.
      let cookies = try await provider.log().map { $0["cookie"] ?? .null }
      #expect(cookies.filter { $0 != .null }.count == 1)
    }
  }

  @Test("Requests go only to the named hosts")
  func hosts() async throws {
    try await Provider.with { provider in
      let authorization = try await provider.login().pin()
      for hosts in [[], ["127.0.0.1"], ["*.0.0.1"], ["127.0.0.1:1"], ["api.x.com"]] as [[String]] {
        let forms = FormLogin(hosts: hosts, configuration: provider.configuration())
        let error = await failure { () throws(FormLoginError) in
          try await forms.pin(at: authorization.url, username: "alice", password: Provider.password)
        }
        #expect(error.name == "foreignHost")
      }
      #expect(try await provider.count("/oauth/authorize") == 0)
    }
  }
}
