import CallsignX
import Testing
import XSandbox

// The blocks of Documentation/Sandbox.md, word for word. The test is run with the others.

/// The app: it greets its followers.
struct FollowerGreeter {
  let x: XAPI

  func greet() async throws -> [String] {
    let me = try await x.getUsersMe().data
    var greeted: [String] = []
    for try await user in x.getUsersFollowersPages(id: me.id, maxResults: 100).items {
      try await x.createPosts(text: "Hello @\(user.username)!")
      greeted.append(user.username)
    }
    return greeted
  }
}

@Test func greetsEachFollower() async throws {
  let seed = try SandboxSeed(
    yaml: """
      users:
        ada: {name: Ada, follows: [alice]}
        dan: {follows: [alice, ada]}
      """)
  let sandbox = try await Sandbox.start(seed: seed)
  let x = XAPI(
    auth: .userToken(Secret(sandbox.users.alice.oauth2AccessToken)),
    configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))

  let greeted = try await FollowerGreeter(x: x).greet()

  #expect(Set(greeted) == ["ada", "dan"])
  let posts = try await x.getUsersPosts(id: sandbox.users.alice.id)
  #expect(posts.data.count == 2)
  await sandbox.stop()
}

private func seeded() async throws {
  let sandbox = try await Sandbox.start(seed: SandboxSeed(file: "birds.yaml"))
  if let ada = await sandbox.user(named: "ada") { print(ada.id, ada.username) }

  let before = await sandbox.snapshot()
  try await sandbox.addPost("hello", by: sandbox.users.bob)
  await sandbox.restore(before)  // all state and all tokens; the rate windows start again
  print(await sandbox.saved())  // users, posts, lists and messages as a seed
  await sandbox.reset()  // as after the start

  sandbox.advanceTime(by: 900)  // rate windows start again; tokens, polls and uploads expire
  await sandbox.stop()
}
