import Callsign
import Foundation
import LiteLLMKit

await Step.run { step in
  // Arguments are visible to other processes.
  let key = ProcessInfo.processInfo.environment["CALLSIGN_KEY_API_KEY_HEADER"] ?? ""
  let llm = LiteLLM(auth: LiteLLM.apiKeyHeader(Secret(key)), configuration: step.configuration)
  let file = step.values[0]

  func complete(model: String, stream: Bool? = nil) async throws -> ResponseContent {
    let hello = LiteLLM.ChatCompletionUserMessage(content: .string("Say hello."))
    return try await llm.chatCompletionV1ChatCompletionsPost(
      model: model, messages: [.chatCompletionUserMessage(hello)], stream: stream.map { .value($0) }
    ).value
  }

  switch step.name {
  case "create": try await step.show(complete(model: "mock"))
  case "read": try await step.show(llm.modelInfoV1ModelsModelIDGet(modelID: "mock").value)
  case "list": try await step.show(llm.modelListV1ModelsGet().value)
  case "upload":
    let part = FilePart(file: URL(fileURLWithPath: step.values[1]), mediaType: "text/plain")
    try await step.show(llm.createFileV1FilesPost(purpose: "user_data", file: part).value)
  case "files": try await step.show(llm.listFilesV1FilesGet().value)
  case "download": try await step.show(llm.getFileContentV1FilesFileIDContentGet(fileID: file).value)
  case "stream": try await step.show(complete(model: "mock", stream: true))
  case "error": try await step.show(complete(model: "unknown"))
  case "delete": try await step.show(llm.deleteFileV1FilesFileIDDelete(fileID: file).value)
  default: throw UnknownStep(name: step.name)
  }
}
