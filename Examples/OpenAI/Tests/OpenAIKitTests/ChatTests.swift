import Callsign
import CallsignMock
import Foundation
import OpenAIKit
import Testing

@Suite("Chat completions") struct ChatTests {
  @Test("A completion is typed, and sends what was given and nothing else") func completes() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createChatCompletion", with: .json(completion(["role": "assistant", "content": "Arr!", "refusal": .null])))
    let answer = try await makeClient(mock).createChatCompletion(
      model: .gpt5_5, messages: [.developer("Talk like a pirate."), .user("Is this a string?")], temperature: 0.5)
    let choice = try #require(answer.choices.first)
    #expect(choice.message.content == "Arr!" && choice.finishReason == .stop && answer.id == "chatcmpl-1")
    let request = try #require(mock.requests.first)
    #expect(request.path == "/v1/chat/completions" && request.headers[.authorization] == "Bearer sk-test")
    #expect(
      request.bodyValue == [
        "model": "gpt-5.5", "temperature": 0.5,
        "messages": [
          ["role": "developer", "content": "Talk like a pirate."], ["role": "user", "content": "Is this a string?"],
        ],
      ])
  }

  @Test("A model that the document does not know is sent as it is") func otherModel() async throws {
    let mock = try makeMock()
    _ = try await makeClient(mock).createChatCompletion(model: .unknown("my-model"), messages: [.user("Hi")])
    #expect(mock.requests.first?.bodyValue?.object?["model"] == "my-model")
  }

  @Test("A stream of chunks is a typed sequence, which ends at [DONE]") func streams() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createChatCompletionStream",
      with: .records([
        chunk(["role": "assistant", "content": "Once"]), chunk(["content": " upon"]), chunk([:], finish: "stop"),
      ]))
    var text = ""
    var finish: OpenAI.FinishReason?
    for try await chunk in makeClient(mock).createChatCompletionStream(model: .gpt5_5, messages: [.user("Tell")]).values
    {
      text += chunk.choices.first?.delta.content ?? ""
      finish = chunk.choices.first?.finishReason ?? finish
    }
    #expect(text == "Once upon" && finish == .stop)
    #expect(mock.requests.count == 1 && mock.requests.first?.bodyValue?.object?["stream"] == true)
  }

  @Test("A stream that stops before [DONE] is an error, and is not asked again") func cutStream() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createChatCompletionStream",
      with: .data(
        Data("data: \(try chunk(["content": "Once"]).jsonString())\n\n".utf8), contentType: "text/event-stream"))
    var text = ""
    await #expect(throws: CallError.self) {
      for try await chunk in makeClient(mock).createChatCompletionStream(model: .gpt5_5, messages: [.user("Tell")])
        .values
      {
        text += chunk.choices.first?.delta.content ?? ""
      }
    }
    #expect(text == "Once" && mock.requests.count == 1)
  }

  @Test("An error within a stream is the error of the call") func errorInStream() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createChatCompletionStream",
      with: .records([
        chunk(["content": "Once"]), problem("The server had an error", type: "server_error", code: "server_error"),
      ]))
    do throws(CallError) {
      for try await _ in makeClient(mock).createChatCompletionStream(model: .gpt5_5, messages: [.user("Tell")]).values {
      }
      Issue.record("the stream should have failed")
    } catch {
      #expect(error.problems.first?.detail == "The server had an error")
    }
  }

  @Test("The model asks for a tool, gets its result, and answers") func tools() async throws {
    let mock = try makeMock()
    let call: JSONValue = [
      "id": "call_1", "type": "function", "function": ["name": "weather", "arguments": #"{"city":"Paris"}"#],
    ]
    try mock.reply(
      to: "createChatCompletion",
      with: .json(
        completion(
          ["role": "assistant", "content": .null, "refusal": .null, "tool_calls": [call]], finish: "tool_calls")),
      times: 1)
    try mock.reply(
      to: "createChatCompletion",
      with: .json(completion(["role": "assistant", "content": "It is sunny.", "refusal": .null])))
    let openAI = makeClient(mock)
    let tool = OpenAI.ChatTool.function(
      "weather", description: "The weather of a city.",
      parameters: ["type": "object", "properties": ["city": ["type": "string"]], "required": ["city"]], strict: true)

    var messages: [OpenAI.ChatMessage] = [.user("How is the weather in Paris?")]
    let first = try await openAI.createChatCompletion(model: .gpt5_5, messages: messages, tools: [tool])
    let message = try #require(first.choices.first?.message)
    messages.append(.assistant(message))
    for case .chatFunctionCall(let call) in message.toolCalls {
      let arguments = try JSONValue(jsonData: Data(call.function.arguments.utf8))
      #expect(call.function.name == "weather" && arguments == ["city": "Paris"])
      messages.append(.tool("sunny", for: call.id))
    }
    let second = try await openAI.createChatCompletion(model: .gpt5_5, messages: messages, tools: [tool])
    #expect(second.choices.first?.message.content == "It is sunny.")
    #expect(
      mock.requests.last?.bodyValue?.object?["messages"] == [
        ["role": "user", "content": "How is the weather in Paris?"], ["role": "assistant", "tool_calls": [call]],
        ["role": "tool", "tool_call_id": "call_1", "content": "sunny"],
      ])
  }

  @Test("The arguments of a tool arrive in pieces") func streamedTools() async throws {
    let mock = try makeMock()
    func piece(_ id: JSONValue, _ function: JSONValue) -> JSONValue {
      chunk(["tool_calls": [["index": 0, "id": id, "function": function]]])
    }
    try mock.reply(
      to: "createChatCompletionStream",
      with: .records([
        piece("call_1", ["name": "weather", "arguments": ""]), piece(.null, ["arguments": #"{"city":"#]),
        piece(.null, ["arguments": #""Paris"}"#]), chunk([:], finish: "tool_calls"),
      ]))
    var arguments: [Int: String] = [:]
    for try await chunk in makeClient(mock).createChatCompletionStream(model: .gpt5_5, messages: [.user("?")]).values {
      for call in chunk.choices.first?.delta.toolCalls ?? [] {
        arguments[call.index, default: ""] += call.function?.arguments ?? ""
      }
    }
    #expect(arguments == [0: #"{"city":"Paris"}"#])
  }

  @Test("A message can have pictures, from the web and from memory") func vision() async throws {
    let mock = try makeMock()
    let web = try #require(URL(string: "https://example.com/cat.png"))
    let own = try #require(OpenAI.dataURL(Data([1, 2, 3]), mediaType: "image/png"))
    _ = try await makeClient(mock).createChatCompletion(
      model: .gpt5_5, messages: [.user([.text("What is this?"), .image(web), .image(own, detail: .low)])])
    #expect(
      mock.requests.first?.bodyValue?.object?["messages"] == [
        [
          "role": "user",
          "content": [
            ["type": "text", "text": "What is this?"],
            ["type": "image_url", "image_url": ["url": "https://example.com/cat.png"]],
            ["type": "image_url", "image_url": ["url": "data:image/png;base64,AQID", "detail": "low"]],
          ],
        ]
      ])
  }

  @Test("A completion can be JSON of a schema") func structured() async throws {
    let mock = try makeMock()
    _ = try await makeClient(mock).createChatCompletion(
      model: .gpt5_5, messages: [.user("A recipe")],
      responseFormat: .responseFormatJSONSchema(
        OpenAI.ResponseFormatJSONSchema(
          jsonSchema: OpenAI.ResponseFormatJSONSchemaJSONSchema(
            name: "recipe", schema: ["type": "object"], strict: true))))
    #expect(
      mock.requests.first?.bodyValue?.object?["response_format"] == [
        "type": "json_schema", "json_schema": ["name": "recipe", "schema": ["type": "object"], "strict": true],
      ])
  }
}
