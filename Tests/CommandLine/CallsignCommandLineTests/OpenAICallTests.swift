import CallsignCatalogue
import CallsignJSON
import CallsignMock
import CallsignMockServer
import CallsignOpenAPI
import Foundation
import TestSupport
import Testing

/// `callsign call` of OpenAI's document, against a strict mock of the same document.
@Suite("callsign call of OpenAI's operations", .needs(.corpus("openapi-large/openai.json"))) struct OpenAICallTests {
  /// An operation, its arguments, and what arrives.
  private struct Example {
    let operation: String
    let words: [String]
    let arguments: JSONValue

    init(_ operation: String, _ words: String..., arguments: JSONValue) {
      self.operation = operation
      self.words = words
      self.arguments = arguments
    }

    /// With all members of the body as one JSON text.
    init(_ operation: String, body: String) throws {
      self.operation = operation
      words = ["--data", body]
      arguments = try JSONValue(jsonString: body)
    }
  }

  private static let chat = """
    {"model": "gpt-5",
     "messages": [{"role": "developer", "content": "Be brief."},
       {"role": "user", "content": [{"type": "text", "text": "Is it warm in Paris?"},
         {"type": "image_url", "image_url": {"url": "https://a.example/map.png"}}]},
       {"role": "assistant", "tool_calls": [
         {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]},
       {"role": "tool", "tool_call_id": "c1", "content": "20"}],
     "tools": [{"type": "function", "function": {"name": "weather",
         "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}},
       {"type": "custom", "custom": {"name": "note"}}],
     "tool_choice": {"type": "function", "function": {"name": "weather"}}}
    """

  private static let response = """
    {"model": "gpt-5",
     "input": [{"type": "message", "role": "user", "content": "Is it warm in Paris?"},
       {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"},
       {"type": "function_call_output", "call_id": "c1", "output": "20"}],
     "tools": [{"type": "function", "name": "weather", "parameters": {"type": "object"}, "strict": true},
       {"type": "web_search"}, {"type": "file_search", "vector_store_ids": ["v1"]},
       {"type": "mcp", "server_label": "docs", "server_url": "https://docs.example"},
       {"type": "code_interpreter", "container": {"type": "auto"}}],
     "tool_choice": {"type": "function", "name": "weather"}}
    """

  @Test("Ten operations, with tools and a file among them, arrive as they were given")
  func tenOperations() async throws {
    let document = try #require(Corpora.url("openapi-large/openai.json"))
    let imported = try OpenAPIImporter().importDocument([UInt8](Data(contentsOf: document)))
    let folder = try TemporaryFolder()
    for file in CatalogueWriter(origin: imported.origin, overlay: nil).files(for: imported.catalogue) {
      try folder.write(file.text, to: "catalogue/\(file.path)")
    }
    try folder.write(#"{"custom_id": "1"}"#, to: "batch.jsonl")
    let examples = [
      try Example("createChatCompletion", body: Self.chat),
      try Example("createResponse", body: Self.response),
      Example("listModels", arguments: [:]),
      Example("retrieveModel", "--model", "gpt-5", arguments: ["model": "gpt-5"]),
      Example(
        "createEmbedding", "--model", "text-embedding-3-small", "--input", "a text",
        arguments: ["model": "text-embedding-3-small", "input": "a text"]),
      Example("createModeration", "--input", "a text", arguments: ["input": "a text"]),
      Example("createImage", "--prompt", "a cat", "--n", "2", arguments: ["prompt": "a cat", "n": 2]),
      Example(
        "createFile", "--file", folder.path + "/batch.jsonl", "--purpose", "batch", arguments: ["purpose": "batch"]),
      Example(
        "createVectorStore", "--name", "docs", "--file_ids", "a,b",
        arguments: ["name": "docs", "file_ids": ["a", "b"]]),
      Example("listFiles", "--limit", "2", "--order", "asc", arguments: ["limit": 2, "order": "asc"]),
    ]
    let mock = MockServer(imported.catalogue, configuration: MockConfiguration(isStrict: true))
    let listener = try await mock.listen()
    do {
      for example in examples {
        let run = try await Run(
          "callsign",
          ["call", folder.path + "/catalogue", example.operation] + example.words
            + ["--base-url", listener.url.absoluteString],
          environment: ["CALLSIGN_BEARER_TOKEN": "TOKEN", "HOME": folder.path])
        #expect(run.status == 0, "\(example.operation): \(run.error)")
        #expect((try? JSONValue(jsonString: run.output))?.object != nil, "\(example.operation): \(run.output)")
        let request = try #require(mock.requests.last)
        #expect(request.operation == example.operation && request.problems == [])
        var arguments = request.arguments
        if example.operation == "createFile" {
          #expect(String(decoding: request.body, as: UTF8.self).contains(#"{"custom_id": "1"}"#))
          arguments["file"] = nil
        }
        #expect(JSONValue.object(arguments) == example.arguments, "\(example.operation)")
      }
    } catch {
      await listener.stop()
      throw error
    }
    await listener.stop()
    #expect(mock.requests.count == examples.count)
  }
}
