import Callsign
import Foundation
import OpenAIKit
import Testing

/// The same client against a server that we did not write: LiteLLM's proxy, which makes up its responses.
@Suite(
  "LiteLLM",
  .enabled(
    if: LiteLLM.program != nil,
    "LiteLLM is not installed: `pip install 'litellm[proxy]'`, or set LITELLM to its program"))
struct LiteLLMTests {
  @Test("Completions, streams, responses, vectors, models and errors") func tour() async throws {
    let server = try LiteLLM()
    defer { server.stop() }
    let openAI = try await server.client()

    let models = try await openAI.listModels()
    #expect(Set(models.data.map(\.id)) == ["gpt-mock", "embed-mock"])

    let completion = try await openAI.createChatCompletion(model: .unknown("gpt-mock"), messages: [.user("Hi")])
    #expect(completion.choices.first?.message.content == "Hello from LiteLLM.")
    #expect(completion.choices.first?.finishReason == .stop && (completion.usage?.totalTokens ?? 0) > 0)

    var text = ""
    var chunks = 0
    for try await chunk in openAI.createChatCompletionStream(model: .unknown("gpt-mock"), messages: [.user("Hi")])
      .values
    {
      text += chunk.choices.first?.delta.content ?? ""
      chunks += 1
    }
    #expect(text == "Hello from LiteLLM." && chunks > 2)

    let response = try await openAI.createResponse(model: .unknown("gpt-mock"), input: "Hi")
    #expect(response.outputText == "Hello from LiteLLM." && response.value.status == .completed)

    let vectors = try await openAI.createEmbedding(model: .unknown("embed-mock"), input: "Hi")
    #expect(vectors.data.first?.embedding == [0.5, -0.25])

    do throws(CallError) {
      try await openAI.createChatCompletion(model: .unknown("no-such-model"), messages: [.user("Hi")])
      Issue.record("the call should have failed")
    } catch {
      let body = try #require(try error.body(as: OpenAI.ErrorResponse.self))
      #expect(error.rawResponse?.status.code == 400 && body.error.type == "invalid_request_error")
      #expect(body.error.message.contains("no-such-model"))
    }
  }
}

/// LiteLLM's proxy on a port of loopback.
private final class LiteLLM {
  /// The program that `LITELLM` names, or the one in the path.
  static let program: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let program = environment["LITELLM"], !program.isEmpty { return program }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/litellm" }.first(where: FileManager.default.isExecutableFile(atPath:))
  }()

  private let process = Process()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("litellm-\(UUID().uuidString)")
  private let key = "sk-\(UUID().uuidString)"
  private let port = Int.random(in: 49_152...65_535)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let configuration: JSONValue = [
      "model_list": [
        [
          "model_name": "gpt-mock",
          "litellm_params": ["model": "openai/gpt-4o-mini", "api_key": "none", "mock_response": "Hello from LiteLLM."],
        ],
        [
          "model_name": "embed-mock",
          "litellm_params": [
            "model": "openai/text-embedding-3-small", "api_key": "none", "mock_response": [0.5, -0.25],
          ],
        ],
      ],
      "general_settings": ["master_key": .string(key)],
    ]
    // YAML reads JSON.
    let file = folder.appendingPathComponent("config.yaml")
    try configuration.jsonData().write(to: file)
    process.executableURL = URL(fileURLWithPath: Self.program ?? "")
    process.arguments = ["--config", file.path, "--host", "127.0.0.1", "--port", String(port)]
    process.currentDirectoryURL = folder
    // It needs no network, and sends no telemetry.
    process.environment = ProcessInfo.processInfo.environment.merging([
      "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False",
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// The client, once the server responds.
  func client() async throws -> OpenAI {
    let environment = ["OPENAI_API_KEY": key, "OPENAI_BASE_URL": "http://127.0.0.1:\(port)/v1"]
    let openAI = try #require(OpenAI.fromEnvironment(environment))
    let end = ContinuousClock.now + .seconds(180)
    while true {
      do {
        _ = try await openAI.listModels(options: CallOptions(retry: .never))
        return openAI
      } catch {
        try #require(process.isRunning && ContinuousClock.now < end, "LiteLLM did not start: \(error)")
        try await Task.sleep(for: .milliseconds(500))
      }
    }
  }

  func stop() {
    // A child of a thread of the test library inherits that thread's signal mask, which holds back gentler signals.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
