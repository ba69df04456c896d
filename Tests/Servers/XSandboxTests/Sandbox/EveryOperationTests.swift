import Callsign
import CallsignAuth
import CallsignCatalogue
import CallsignDynamic
import CallsignJSON
import Foundation
import Testing
import XCatalogue
import XCore

@testable import XSandbox

/// Calls every operation of both catalogues over a socket, and checks its response against the catalogue's types.
@Suite("Every operation") struct EveryOperationTests {
  /// Outcomes by operation. An operation without state never refuses arguments that fit its types; one with state may, if they name
  /// objects that it does not have.
  private struct Outcomes {
    var responded = 0
    var refused: [String] = []
    var wrong: [String] = []
  }

  @Test("Every operation of v2 responses, as its types have it")
  func v2() async throws {
    let outcomes = try await callAll(.v2)
    #expect(outcomes.wrong.isEmpty, "\(outcomes.wrong.joined(separator: "\n"))")
    #expect(outcomes.responded + outcomes.refused.count == 178)
    #expect(outcomes.responded > 130, "\(outcomes.refused.joined(separator: "\n"))")
  }

  @Test("Every operation of v1.1 responses, as its types have it")
  func v1() async throws {
    let outcomes = try await callAll(.v1)
    #expect(outcomes.wrong.isEmpty, "\(outcomes.wrong.joined(separator: "\n"))")
    // The login's own pages and tokens have separate tests.
    #expect(outcomes.responded + outcomes.refused.count == 182)
    #expect(outcomes.responded > 140, "\(outcomes.refused.joined(separator: "\n"))")
  }

  private func callAll(_ version: APIVersion) async throws -> Outcomes {
    var configuration = Sandbox.Configuration()
    for operation in CataloguedOperation.all { configuration.limits[operation.key] = 1_000_000 }
    let stateful = Set(OperationTable.all.map(\.key))
    return try await withSandbox(configuration) { sandbox in
      let catalogue = try #require((version == .v2 ? EmbeddedCatalogue.x2 : .x1).catalogue())
      let api = api(catalogue, sandbox)
      let rules = #"{"add":[{"value":"hello"}]}"#
      _ = try await TestClient.appV1(sandbox).post("/2/tweets/search/stream/rules", rules)
      var outcomes = Outcomes()
      for name in api.operationNames {
        let operation = try api.operation(name)
        let endpoint = operation.endpoint
        if endpoint.path.contains("/oauth") { continue }
        do {
          let call = try operation.call(try await arguments(endpoint, catalogue, sandbox))
          let issues =
            operation.isStream
            ? try await first(call, api, sandbox) : try await api.send(call).issues.map(\.description)
          if issues.isEmpty { outcomes.responded += 1 } else { outcomes.wrong.append("\(name): \(issues.prefix(3))") }
        } catch {
          let line = "\(name): \(error)"
          let isRefusal = stateful.contains("\(endpoint.method) \(endpoint.path)") && Self.isRefusal(error)
          if isRefusal { outcomes.refused.append(line) } else { outcomes.wrong.append(line) }
        }
      }
      return outcomes
    }
  }

  /// Whether the sandbox has understood the call but found nothing for it.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error as? CallError {
    case .api(let error): [200, 400, 403, 404, 409].contains(error.status.code)
    case .authorization: true
    default: false
    }
  }

  private func api(_ catalogue: Catalogue, _ sandbox: Sandbox) -> DynamicAPI {
    let alice = sandbox.users.alice
    return DynamicAPI(
      catalogue,
      auth: [
        .userToken(Secret(alice.oauth2AccessToken)),
        .oauth1(
          OAuth1(
            consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
            token: alice.accessToken, tokenSecret: Secret(alice.accessTokenSecret))),
        .bearer(sandbox.app.bearerToken),
      ], configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)), conventions: XConventions())
  }

  /// Arguments for an existing post and an existing list, which the operation may delete.
  private func arguments(
    _ endpoint: CallsignCatalogue.Endpoint, _ catalogue: Catalogue, _ sandbox: Sandbox
  ) async throws -> [String: JSONValue] {
    let (alice, bob) = (sandbox.users.alice, sandbox.users.bob)
    let post = try await sandbox.addPost("hello", by: alice)
    let list = try await sandbox.addList("birds", owner: alice)
    let maker = ArgumentMaker(
      catalogue: catalogue,
      known: [
        "user_id": .string(bob.id), "target_user_id": .string(bob.id), "source_user_id": .string(alice.id),
        "participant_id": .string(bob.id), "tweet_id": .string(post), "source_tweet_id": .string(post),
        "list_id": .string(list), "username": "bob", "screen_name": "bob", "query": "hello", "q": "hello",
        "text": .string("new \(post)"), "status": .string("new \(post)"), "track": ["hello"],
        "event": [
          "type": "message_create",
          "message_create": [
            "target": ["recipient_id": .string(bob.id)], "message_data": ["text": .string("new \(post)")],
          ],
        ],
      ])
    let path = endpoint.path
    if ["/2/broadcasts", "/2/spaces"].contains(where: path.hasPrefix) { return maker.arguments(endpoint, id: "1abc") }
    let id = path.hasPrefix("/2/users") ? alice.id : path.contains("/lists") ? list : post
    return maker.arguments(endpoint, id: id)
  }

  /// The first record of a stream, while posts are made.
  private func first(_ call: DynamicCall, _ api: DynamicAPI, _ sandbox: Sandbox) async throws -> [String] {
    guard let stream = api.stream(call) else { return ["no stream"] }
    let posting = Task {
      var number = 0
      while !Task.isCancelled {
        number += 1
        try await sandbox.addPost("hello \(number)", by: sandbox.users.bob)
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    defer { posting.cancel() }
    for try await event in stream {
      if case .value(let value) = event { return api.issues(in: value, of: call.operation).map(\.description) }
      return ["undecodable"]
    }
    return ["no record"]
  }
}
