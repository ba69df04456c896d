import Callsign
import CallsignX
import Foundation
import XSandbox

// The blocks about tests, word for word. Compiled, never run.

private func sandboxed() async throws {
  let sandbox = try await Sandbox.start()
  let x = XAPI(
    auth: .userToken(Secret(sandbox.users.alice.oauth2AccessToken)),
    configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))

  try await x.createPosts(text: "hello")
  let requests = await sandbox.requests()
  print(requests.last?.path ?? "", requests.last?.bodyText ?? "")
  await sandbox.stop()
}

private func failing() async throws {
  let sandbox = try await Sandbox.start()
  await sandbox.inject(.rateLimited(), for: "GET /2/users/me")
  await sandbox.inject(.status(503), for: "POST /2/tweets", times: 2)
  sandbox.setClockOffset(3600)
  print(await sandbox.faultCount)
  await sandbox.stop()
}

private func loggingIn() async throws {
  let sandbox = try await Sandbox.start()
  let secret = sandbox.app.clientSecret.map { Secret($0) }
  let account = OAuth2(clientID: sandbox.app.clientID, clientSecret: secret, store: MemoryTokenStore())
  let local = ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString))
  let login = try account.beginLogin(
    scopes: [.tweetRead, .usersRead], redirectURI: "sandbox://", configuration: local)
  if let redirect = try await sandbox.approve(login.url, as: sandbox.users.alice).url {
    try await login.complete(redirect: redirect)
  }
  print(try await account.isAuthorized)
  await sandbox.stop()
}

private func writtenResponses() async throws {
  let transport = InMemoryTransport { _ in .json(#"{"data":{"id":"7","text":"hello"}}"#) }
  let x = XAPI(auth: .bearer("…"), configuration: ClientConfiguration(transport: transport))
  let post = try await x.getPostsById(id: "7")
  print(post.data.text, transport.requests.count)
}
