import Callsign
import CallsignMock
import Foundation
import OpenAIKit

/// The catalogue, which is read once.
private let catalogue = Result {
  let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return try MockServer(folder: package.appendingPathComponent("Sources/OpenAIKit/Catalogue").path).catalogue
}

/// A mock that is made of the catalogue, which needs no account and no network.
func makeMock() throws -> MockServer {
  var configuration = MockConfiguration()
  configuration.recordInterval = .zero
  return MockServer(try catalogue.get(), configuration: configuration)
}

func makeClient(_ mock: MockServer, _ change: (inout ClientConfiguration) -> Void = { _ in }) -> OpenAI {
  var configuration = ClientConfiguration.openAI
  configuration.transport = mock
  configuration.retry.baseDelay = .zero
  change(&configuration)
  return OpenAI(auth: .bearer("sk-test"), configuration: configuration)
}

/// A response of the model that says one text.
func textResponse(_ text: String, status: String = "completed") -> JSONValue {
  [
    "id": "resp_1", "object": "response", "created_at": 1_795_341_900, "status": .string(status), "model": "gpt-5.5",
    "error": .null, "incomplete_details": .null, "instructions": .null, "metadata": [:], "parallel_tool_calls": true,
    "temperature": 1, "tool_choice": "auto", "tools": [], "top_p": 1,
    "output": [
      [
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [["type": "output_text", "text": .string(text), "annotations": [], "logprobs": []]],
      ]
    ],
  ]
}

/// A completion with one choice.
func completion(_ message: JSONValue, finish: String = "stop") -> JSONValue {
  [
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1_795_341_900, "model": "gpt-5.5",
    "choices": [["index": 0, "finish_reason": .string(finish), "logprobs": .null, "message": message]],
  ]
}

/// A chunk of a completion.
func chunk(_ delta: JSONValue, finish: JSONValue = .null) -> JSONValue {
  [
    "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_795_341_900, "model": "gpt-5.5",
    "choices": [["index": 0, "finish_reason": finish, "delta": delta]],
  ]
}

/// An error as OpenAI reports it.
func problem(_ message: String, type: String, code: String) -> JSONValue {
  ["error": ["message": .string(message), "type": .string(type), "param": .null, "code": .string(code)]]
}
