import Callsign
import CallsignMock
import Foundation
import HTTPTypes
import OpenAIKit
import Testing

@Suite("Responses") struct ResponseTests {
  @Test("A response has its text, and only what was given is sent") func text() async throws {
    let mock = try makeMock()
    try mock.reply(to: "createResponse", with: .json(textResponse("Arr, use isinstance!")))
    let response = try await makeClient(mock).createResponse(
      model: .gpt5_5, input: "How do I check a type?", instructions: "Talk like a pirate.")
    #expect(response.outputText == "Arr, use isinstance!" && response.value.status == .completed)
    #expect(response.createdAt == Date(timeIntervalSince1970: 1_795_341_900))
    #expect(response.issues.isEmpty)
    #expect(
      mock.requests.first?.bodyValue == [
        "model": "gpt-5.5", "input": "How do I check a type?", "instructions": "Talk like a pirate.",
      ])
  }

  @Test("Events are typed by their names, and the stream ends with the response") func events() async throws {
    let mock = try makeMock()
    func delta(_ text: String, _ number: Int) -> JSONValue {
      [
        "type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0,
        "delta": .string(text), "sequence_number": .integer(number), "logprobs": [],
      ]
    }
    try mock.reply(
      to: "createResponseStream",
      with: .records([
        ["type": "response.created", "sequence_number": 0, "response": textResponse("", status: "in_progress")],
        delta("Once", 1), delta(" upon", 2), ["type": "response.tomorrows_event", "sequence_number": 3],
        ["type": "response.completed", "sequence_number": 4, "response": textResponse("Once upon")],
      ]))
    var seen: [String] = []
    for try await event in makeClient(mock).createResponseStream(model: .gpt5_5, input: "Tell a story").values {
      switch event {
      case .responseTextDeltaEvent(let event): seen.append(event.delta)
      case .responseCompletedEvent(let event): seen.append("completed: \(event.response.outputText)")
      default: seen.append(event.type ?? "")
      }
    }
    #expect(
      seen == ["response.created", "Once", " upon", "response.tomorrows_event", "completed: Once upon"])
    #expect(mock.requests.count == 1 && mock.requests.first?.bodyValue?.object?["stream"] == true)
  }

  @Test("The model asks for a function, gets its result, and answers") func tools() async throws {
    let mock = try makeMock()
    var asking = textResponse("").object ?? [:]
    asking["output"] = [
      [
        "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "weather", "status": "completed",
        "arguments": #"{"city":"Paris"}"#,
      ]
    ]
    try mock.reply(to: "createResponse", with: .json(.object(asking)), times: 1)
    try mock.reply(to: "createResponse", with: .json(textResponse("It is sunny.")))
    let openAI = makeClient(mock)
    let weather = OpenAI.Tool.function(
      "weather", parameters: ["type": "object", "properties": ["city": ["type": "string"]], "required": ["city"]])
    let first = try await openAI.createResponse(model: .gpt5_5, input: "The weather in Paris?", tools: [weather])
    let call = try #require(first.functionCalls.first)
    #expect(call.name == "weather" && call.arguments == #"{"city":"Paris"}"#)
    let second = try await openAI.createResponse(
      model: .gpt5_5, input: .inputItemList([.result("sunny", of: call)]), previousResponseID: .value(first.id),
      tools: [weather])
    #expect(second.outputText == "It is sunny.")
    let sent = try #require(mock.requests.last?.bodyValue?.object)
    #expect(sent["input"] == [["type": "function_call_output", "call_id": "call_1", "output": "sunny"]])
    #expect(sent["previous_response_id"] == "resp_1")
  }

  @Test("A message can have pictures") func vision() async throws {
    let mock = try makeMock()
    let picture = try #require(OpenAI.dataURL(Data([1, 2, 3]), mediaType: "image/png"))
    _ = try await makeClient(mock).createResponse(
      model: .gpt5_5, input: .inputItemList([.user([.text("What is this?"), .image(picture)])]))
    #expect(
      mock.requests.first?.bodyValue?.object?["input"] == [
        [
          "type": "message", "role": "user",
          "content": [
            ["type": "input_text", "text": "What is this?"],
            ["type": "input_image", "image_url": "data:image/png;base64,AQID", "detail": "auto"],
          ],
        ]
      ])
  }

  @Test("A response in the background is asked for until it is there, and can be cancelled") func background()
    async throws
  {
    let mock = try makeMock()
    let now: HTTPFields = [.retryAfter: "0"]
    try mock.reply(to: "createResponse", with: .json(textResponse("", status: "queued"), headers: now))
    try mock.reply(to: "getResponse", with: .json(textResponse("", status: "in_progress"), headers: now), times: 1)
    try mock.reply(to: "getResponse", with: .json(textResponse("Done.")))
    let operation = try await makeClient(mock).createResponseOperation(model: .gpt5_5, input: "Think", background: true)
    #expect(try await operation.result().outputText == "Done.")
    #expect(try mock.requests(to: "getResponse").map(\.path) == ["/v1/responses/resp_1", "/v1/responses/resp_1"])
    try await operation.cancel()
    #expect(mock.requests.last?.path == "/v1/responses/resp_1/cancel")
  }

  @Test("A response that failed is a value, and the result of its operation is an error") func failed() async throws {
    let mock = try makeMock()
    var failed = textResponse("", status: "failed").object ?? [:]
    failed["error"] = ["code": "server_error", "message": "The model broke."]
    try mock.reply(to: "createResponse", with: .json(.object(failed)))
    let openAI = makeClient(mock)
    let response = try await openAI.createResponse(model: .gpt5_5, input: "Think")
    #expect(response.value.status == .failed && response.error?.message == "The model broke.")
    let operation = try await openAI.createResponseOperation(model: .gpt5_5, input: "Think")
    do throws(CallError) {
      _ = try await operation.result()
      Issue.record("the result should have been an error")
    } catch {
      #expect(error.problems.contains { $0.detail == "The model broke." })
    }
  }

  @Test("The input of a response comes by pages") func inputItems() async throws {
    let mock = try makeMock()
    func page(_ id: String, more: Bool) -> JSONValue {
      [
        "object": "list", "first_id": .string(id), "last_id": .string(id), "has_more": .bool(more),
        "data": [
          ["type": "message", "id": .string(id), "role": "user", "content": [["type": "input_text", "text": "Hi"]]]
        ],
      ]
    }
    try mock.reply(to: "listInputItems", with: .json(page("msg_1", more: true)), times: 1)
    try mock.reply(to: "listInputItems", with: .json(page("msg_2", more: false)))
    var count = 0
    for try await item in makeClient(mock).listInputItemsPages(responseID: "resp_1").items {
      if case .itemResourceMessage = item { count += 1 }
    }
    #expect(count == 2 && mock.requests.map { $0.query("after") } == [nil, "msg_1"])
  }
}
