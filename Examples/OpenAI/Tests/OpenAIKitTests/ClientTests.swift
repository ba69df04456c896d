import Callsign
import CallsignMock
import Foundation
import HTTPTypes
import OpenAIKit
import Testing

@Suite("Errors, retries, timeouts and what lies below") struct ClientTests {
  private func ask(_ openAI: OpenAI, _ options: CallOptions = CallOptions()) async throws(CallError)
    -> Response<OpenAI.ChatCompletion>
  {
    try await openAI.createChatCompletion(model: .gpt5_5, messages: [.user("Hi")], options: options)
  }

  @Test("An error has its type, its code and the ID of its request", arguments: [400, 404, 422]) func errors(
    status: Int
  ) async throws {
    let mock = try makeMock()
    let id = try #require(HTTPField.Name("x-request-id"))
    try mock.reply(
      to: "createChatCompletion",
      with: .json(
        problem("No such model", type: "invalid_request_error", code: "model_not_found"), status: status,
        headers: [id: "req_123"]))
    do throws(CallError) {
      _ = try await ask(makeClient(mock))
      Issue.record("the call should have failed")
    } catch {
      guard case .api(let refusal) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(refusal.status.code == status && error.rawResponse?.requestID == "req_123")
      let body = try #require(try error.body(as: OpenAI.ErrorResponse.self))
      #expect(body.error.code == "model_not_found" && body.error.message == "No such model")
      #expect(error.description.contains("No such model") && !error.description.contains("sk-test"))
    }
    #expect(mock.requests.count == 1)
  }

  @Test("A key that is refused is an authorization error") func authorization() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createChatCompletion",
      with: .json(problem("Incorrect API key", type: "invalid_request_error", code: "invalid_api_key"), status: 401))
    do throws(CallError) {
      _ = try await ask(makeClient(mock))
      Issue.record("the call should have failed")
    } catch {
      guard case .authorization = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.problems.first?.detail == "Incorrect API key")
    }
  }

  @Test("A server's error and a conflict are tried again, twice by default", arguments: [409, 500, 503]) func retries(
    status: Int
  ) async throws {
    let mock = try makeMock()
    try mock.inject(.status(status), for: "createChatCompletion", times: 2)
    #expect(try await ask(makeClient(mock)).rawResponse.attempts == 3)

    try mock.inject(.status(status), for: "createChatCompletion", times: 1)
    mock.forgetRequests()
    await #expect(throws: CallError.self) { try await ask(makeClient(mock), CallOptions(retry: .never)) }
    #expect(mock.requests.count == 1)
  }

  @Test("A call whose response was lost is made again only if that leaves nothing behind") func lostResponse()
    async throws
  {
    let mock = try makeMock()
    try mock.inject(.loseResponse, for: "createChatCompletion", times: 1)
    #expect(try await ask(makeClient(mock)).rawResponse.attempts == 2)

    try mock.inject(.loseResponse, for: "createBatch", times: 1)
    do throws(CallError) {
      try await makeClient(mock).createBatch(inputFileID: "file-1", endpoint: .v1Embeddings)
      Issue.record("the call should have failed")
    } catch {
      #expect(error.mayHaveBeenCarriedOut)
    }
    #expect(try mock.requests(to: "createBatch").count == 1)
  }

  @Test("A limit is waited for, and a quota that is used up is not") func limits() async throws {
    let mock = try makeMock()
    try mock.inject(.status(429, retryAfter: 0), for: "createChatCompletion", times: 1)
    #expect(try await ask(makeClient(mock)).rawResponse.attempts == 2)

    try mock.inject(.status(429, retryAfter: 3_600), for: "createChatCompletion", times: 1)
    do throws(CallError) {
      _ = try await ask(makeClient(mock))
      Issue.record("the call should have failed")
    } catch {
      guard case .rateLimited = error else {
        Issue.record("\(error)")
        return
      }
    }

    let poor = try makeMock()
    try poor.reply(
      to: "createChatCompletion",
      with: .json(
        problem("You exceeded your quota", type: "insufficient_quota", code: "insufficient_quota"), status: 429))
    do throws(CallError) {
      _ = try await ask(makeClient(poor))
      Issue.record("the call should have failed")
    } catch {
      guard case .api = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(poor.requests.count == 1)
  }

  @Test("The state of the limit is in the response") func rateLimit() async throws {
    let mock = try makeMock()
    var headers: HTTPFields = [:]
    for (name, value) in [("limit", "500"), ("remaining", "499"), ("reset", "1m30s")] {
      headers[try #require(HTTPField.Name("x-ratelimit-\(name)-requests"))] = value
    }
    try mock.reply(
      to: "createChatCompletion",
      with: .json(completion(["role": "assistant", "content": "Hi", "refusal": .null]), headers: headers))
    let before = Date()
    let limit = try #require(try await ask(makeClient(mock)).rateLimit)
    #expect(limit.limit == 500 && limit.remaining == 499)
    #expect(try #require(limit.reset).timeIntervalSince(before) >= 90)
  }

  @Test("A call that takes longer than its deadline ends") func timeouts() async throws {
    let mock = try makeMock()
    try mock.inject(.delay(.seconds(600)), for: "createChatCompletion")
    do throws(CallError) {
      _ = try await ask(makeClient(mock), CallOptions(deadline: .milliseconds(50)))
      Issue.record("the call should have ended")
    } catch {
      guard case .transport(let error) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.kind == .timedOut)
    }
  }

  @Test("The response as it arrived is there: status, header fields, bytes and the ID of the request") func raw()
    async throws
  {
    let mock = try makeMock()
    let own = try #require(HTTPField.Name("x-my-header"))
    let id = try #require(HTTPField.Name("x-request-id"))
    let body = completion(["role": "assistant", "content": "Hi", "refusal": .null])
    try mock.reply(to: "createChatCompletion", with: .json(body, headers: [own: "1", id: "req_1"]))
    let response = try await ask(makeClient(mock))
    #expect(response.headers[own] == "1" && response.rawResponse.requestID == "req_1")
    #expect(try JSONValue(jsonData: response.body) == body)
  }

  @Test("Parameters, header fields and calls that the document does not know") func undocumented() async throws {
    let mock = try makeMock()
    var options = CallOptions(headers: ["x-mine": "1"])
    options.body = ["new_parameter": true]
    options.query = ["trace": "yes"]
    _ = try await ask(makeClient(mock), options)
    let request = try #require(mock.requests.first)
    #expect(request.bodyValue?.object?["new_parameter"] == true && request.query("trace") == "yes")
    #expect(request.headers[try #require(HTTPField.Name("x-mine"))] == "1")

    let transport = InMemoryTransport { _ in .json(#"{"answer": 42}"#) }
    let openAI = OpenAI(auth: .bearer("sk-test"), configuration: ClientConfiguration(transport: transport))
    let answer = try await openAI.call(.post, "new/thing", body: .json(["question": "?"]))
    #expect(answer.value == ["answer": 42])
    #expect(transport.requests.first?.head.path == "/v1/new/thing")
  }

  @Test("The environment describes a client as it does for OpenAI's own libraries") func environment() async throws {
    let transport = InMemoryTransport { _ in .json(#"{"object": "list", "data": []}"#) }
    var configuration = ClientConfiguration.openAI
    configuration.transport = transport
    let openAI = try #require(
      OpenAI.fromEnvironment(
        [
          "OPENAI_API_KEY": "sk-mine", "OPENAI_BASE_URL": "https://gateway.example/openai/v1",
          "OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "",
        ], configuration: configuration))
    _ = try await openAI.listModels()
    let head = try #require(transport.requests.first?.head)
    #expect(head.authority == "gateway.example" && head.path == "/openai/v1/models")
    #expect(head.headerFields[try #require(HTTPField.Name("OpenAI-Organization"))] == "org-1")
    #expect(head.headerFields[try #require(HTTPField.Name("OpenAI-Project"))] == nil)
    #expect(head.headerFields[.authorization] == "Bearer sk-mine")
    #expect(OpenAI.fromEnvironment(["OPENAI_API_KEY": ""]) == nil)
  }
}
