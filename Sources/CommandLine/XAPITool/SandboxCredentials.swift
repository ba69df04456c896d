import Foundation
import XSandbox

/// The keys and tokens of a sandbox, in the form that clients need.
struct SandboxCredentials: Encodable {
  struct App: Encodable {
    var consumerKey: String
    var consumerSecret: String
    var bearerToken: String
    var clientID: String
    var clientSecret: String?
  }

  struct User: Encodable {
    var id: String
    var username: String
    var password: String
    var accessToken: String
    var accessTokenSecret: String
    var oauth2AccessToken: String
  }

  var url: String
  var app: App
  var users: [User]

  init(_ sandbox: Sandbox) {
    url = sandbox.url.absoluteString
    app = App(
      consumerKey: sandbox.app.consumerKey, consumerSecret: sandbox.app.consumerSecret,
      bearerToken: sandbox.app.bearerToken, clientID: sandbox.app.clientID, clientSecret: sandbox.app.clientSecret)
    users = [sandbox.users.alice, sandbox.users.bob, sandbox.users.carol].map { user in
      User(
        id: user.id, username: user.username, password: user.password, accessToken: user.accessToken,
        accessTokenSecret: user.accessTokenSecret, oauth2AccessToken: user.oauth2AccessToken)
    }
  }

  func document() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return try encoder.encode(self)
  }
}
