import Callsign
import CallsignTesting
import CallsignX
import CallsignXv1
import Foundation
import HTTPTypes
import Testing

/// One client for both versions of the API.
@Suite struct SharedClientTests {
  private let transport = InMemoryTransport { _ in .json("{}") }

  private func client(_ auth: [any Authenticator], hosts: BaseURLOverrides = .identity) -> XAPI {
    XAPI(auth: auth, configuration: ClientConfiguration(transport: transport, hosts: hosts))
  }

  private let user = OAuth1(consumerKey: "ck", consumerSecret: "cs", token: "t", tokenSecret: "ts")

  private func authorization() throws -> String? {
    try #require(transport.requests.last).head.headerFields[.authorization]
  }

  @available(*, deprecated)
  @Test("The credentials of v2 sign calls to every host of v1.1")
  func hosts() async throws {
    let x = client([user])
    let v1 = XAPIv1(client: x.client)
    _ = try? await x.getUsersMe()
    _ = try? await v1.getAccountVerifyCredentials()
    _ = try? await v1.getMediaUpload(mediaID: "1")
    for stream in [v1.postStatusesFilter(track: ["swift"]), v1.getUser(), v1.getSite(follow: ["12"])] {
      var messages = stream.makeAsyncIterator()
      _ = try await messages.next()
    }
    #expect(
      transport.requests.map { $0.head.authority } == [
        "api.x.com", "api.twitter.com", "upload.twitter.com", "stream.twitter.com", "userstream.twitter.com",
        "sitestream.twitter.com",
      ])
    for request in transport.requests {
      #expect(request.head.headerFields[.authorization]?.hasPrefix("OAuth ") == true, "\(request.head)")
      #expect(request.head.scheme == "https")
    }
  }

  @Test("Each call gets the first credentials that it accepts, or none")
  func choice() async throws {
    let v1 = XAPIv1(client: client([.bearer("app"), user]).client)
    _ = try? await v1.getUsersShow(user: .id("12"))
    #expect(try authorization() == "Bearer app")
    _ = try? await v1.postFriendshipsCreate(user: .id("12"))
    #expect(try authorization()?.contains("oauth_token=\"t\"") == true)
    _ = try? await v1.postOauthRequestToken(oauthCallback: "oob")
    let consumer = try #require(try authorization())
    #expect(consumer.hasPrefix("OAuth ") && !consumer.contains("oauth_token="))
    _ = try? await v1.getOembed(url: "https://x.com/jack/status/20")
    #expect(transport.requests.last?.head.authority == "publish.twitter.com")
    #expect(try authorization() == nil)
  }

  @Test("Credentials go to no host that neither catalogue names")
  func scope() async throws {
    let v1 = XAPIv1(client: client([user]).client)
    do throws(CallError) {
      _ = try await v1.call(.get, "https://api.twitter.com.evil.example/1.1/account/settings.json")
      Issue.record("it was sent")
    } catch {
      guard case .authorization(let problem) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(problem.reason == .outOfScope(host: "api.twitter.com.evil.example"))
    }
    #expect(transport.requests.isEmpty)
    _ = try await v1.call(.get, "1.1/account/settings.json")
    #expect(transport.requests.last?.head.authority == "api.twitter.com")
  }

  @Test("A sandbox takes the calls to all hosts, signed for their real addresses")
  func redirected() async throws {
    let v1 = XAPIv1(client: client([user], hosts: .all(to: "http://127.0.0.1:8080")).client)
    _ = try? await v1.getAccountVerifyCredentials()
    _ = try? await v1.getMediaUpload(mediaID: "1")
    #expect(transport.requests.map { $0.head.authority } == ["127.0.0.1:8080", "127.0.0.1:8080"])
    #expect(try authorization()?.hasPrefix("OAuth ") == true)
  }

  @Test("Both versions made from one client share its credentials, connections and known limits")
  func shared() async throws {
    let field = { (name: String) in try #require(HTTPField.Name("x-rate-limit-" + name)) }
    let fields: HTTPFields = [try field("limit"): "15", try field("remaining"): "3", try field("reset"): "1700000900"]
    let transport = InMemoryTransport { _ in .json("{}", headerFields: fields) }
    let plain = Client(auth: user, configuration: ClientConfiguration(transport: transport))
    let x = XAPI(client: plain)
    let v1 = XAPIv1(client: x.client)
    _ = try? await v1.getAccountSettings()
    _ = try? await x.getUsersMe()
    // Both went out by the plain client's transport, signed with its credentials.
    #expect(transport.requests.count == 2)
    for request in transport.requests {
      #expect(request.head.headerFields[.authorization]?.contains("oauth_token=\"t\"") == true)
    }
    // X's header fields are read, though the plain client is of no API, and each client knows what the other has learned.
    for client in [plain, x.client, v1.client] {
      #expect(client.rateLimits.count == 2)
      #expect(client.rateLimits["getAccountSettings"]?.remaining == 3)
      #expect(client.rateLimits["getUsersMe"]?.remaining == 3)
    }
    #expect(x.client.conventions is XConventions && v1.client.conventions is XConventions)
  }
}
