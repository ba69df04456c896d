import Callsign
import CallsignMock
import Foundation
import HTTPTypes
import OpenAIKit
import Testing

@Suite("Batches, runs and other jobs") struct JobTests {
  private let now: HTTPFields = [.retryAfter: "0"]

  private func batch(_ status: String) -> JSONValue {
    [
      "id": "batch_1", "object": "batch", "endpoint": "/v1/chat/completions", "input_file_id": "file-1",
      "completion_window": "24h", "status": .string(status), "created_at": 1_795_341_900,
      "output_file_id": status == "completed" ? "file-2" : .null,
    ]
  }

  private func run(_ status: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
    let members: [String: JSONValue] = [
      "id": "run_1", "object": "thread.run", "created_at": 1_795_341_900, "thread_id": "thread_1",
      "assistant_id": "asst_1", "status": .string(status), "required_action": .null, "last_error": .null,
      "model": "gpt-5.5", "instructions": "", "tools": [], "parallel_tool_calls": true, "tool_choice": "auto",
      "response_format": "auto", "truncation_strategy": ["type": "auto", "last_messages": .null],
    ]
    return .object(members.merging(more) { $1 })
  }

  @Test("A batch is asked for until it is done") func batches() async throws {
    let mock = try makeMock()
    try mock.reply(to: "createBatch", with: .json(batch("validating"), headers: now))
    try mock.reply(to: "retrieveBatch", with: .json(batch("in_progress"), headers: now), times: 1)
    try mock.reply(to: "retrieveBatch", with: .json(batch("completed")))
    let operation = try await makeClient(mock).createBatchOperation(inputFileID: "file-1", endpoint: .v1ChatCompletions)
    var states: [OpenAI.BatchStatus] = []
    for try await state in operation { states.append(state.value.status) }
    #expect(states == [.inProgress, .completed])
    #expect(
      try mock.requests(to: "createBatch").first?.bodyValue == [
        "input_file_id": "file-1", "endpoint": "/v1/chat/completions", "completion_window": "24h",
      ])
  }

  @Test("A batch that failed is an error, and one can be cancelled") func failedBatch() async throws {
    let mock = try makeMock()
    try mock.reply(to: "createBatch", with: .json(batch("validating"), headers: now))
    try mock.reply(to: "retrieveBatch", with: .json(batch("expired")))
    let operation = try await makeClient(mock).createBatchOperation(inputFileID: "file-1", endpoint: .v1ChatCompletions)
    await #expect(throws: CallError.self) { try await operation.result() }
    try await operation.cancel()
    #expect(mock.requests.last?.path == "/v1/batches/batch_1/cancel")
  }

  @Test("A run is followed until it needs a tool, and then until its end") func runs() async throws {
    let mock = try makeMock()
    let action: JSONValue = [
      "type": "submit_tool_outputs",
      "submit_tool_outputs": [
        "tool_calls": [
          ["id": "call_1", "type": "function", "function": ["name": "weather", "arguments": #"{"city":"Paris"}"#]]
        ]
      ],
    ]
    try mock.reply(to: "createRun", with: .json(run("queued"), headers: now))
    try mock.reply(to: "getRun", with: .json(run("in_progress"), headers: now), times: 1)
    try mock.reply(to: "getRun", with: .json(run("requires_action", ["required_action": action])), times: 1)
    try mock.reply(to: "submitToolOuputsToRun", with: .json(run("queued"), headers: now))
    try mock.reply(to: "getRun", with: .json(run("completed")))
    let openAI = makeClient(mock)
    let waiting = try await openAI.createRunOperation(threadID: "thread_1", assistantID: "asst_1").result()
    #expect(waiting.value.status == .requiresAction)
    let calls = waiting.requiredAction?.submitToolOutputs.toolCalls ?? []
    #expect(calls.map(\.function.name) == ["weather"])
    let done = try await openAI.submitToolOutputsOperation(
      threadID: "thread_1", runID: waiting.id,
      toolOutputs: calls.map { OpenAI.RunToolOutput(toolCallID: $0.id, output: "sunny") }
    ).result()
    #expect(done.value.status == .completed)
    #expect(
      try mock.requests(to: "submitToolOuputsToRun").first?.bodyValue == [
        "tool_outputs": [["tool_call_id": "call_1", "output": "sunny"]]
      ])
  }

  @Test("A thread is begun, gets a message, and is read") func threads() async throws {
    let mock = try makeMock()
    let openAI = makeClient(mock)
    let thread = try await openAI.createThread()
    _ = try await openAI.createMessage(threadID: thread.id, role: .user, content: .string("Hello"))
    #expect(mock.requests.last?.bodyValue == ["role": "user", "content": "Hello"])
    _ = try await openAI.listMessages(threadID: thread.id)
    #expect(mock.requests.last?.path == "/v1/threads/\(thread.id)/messages")
  }

  @Test("A stored file goes into a vector store, and the call returns when it can be searched") func vectorStores()
    async throws
  {
    let mock = try makeMock()
    func file(_ status: String) -> JSONValue {
      [
        "id": "file-1", "object": "vector_store.file", "usage_bytes": 3, "created_at": 1_795_341_900,
        "vector_store_id": "vs_1", "status": .string(status), "last_error": .null,
      ]
    }
    try mock.reply(to: "createVectorStoreFile", with: .json(file("in_progress"), headers: now))
    try mock.reply(to: "getVectorStoreFile", with: .json(file("completed")))
    let stored = try await makeClient(mock).createVectorStoreFileOperation(vectorStoreID: "vs_1", fileID: "file-1")
      .result()
    #expect(stored.value.status == .completed)
    #expect(mock.requests.last?.path == "/v1/vector_stores/vs_1/files/file-1")
  }

  @Test("The jobs that train models come by pages") func fineTuning() async throws {
    let mock = try makeMock()
    var count = 0
    for try await _ in makeClient(mock).listFineTuningJobsPages(limit: 5).items { count += 1 }
    #expect(count > 5 && mock.requests.count > 1)
  }
}
