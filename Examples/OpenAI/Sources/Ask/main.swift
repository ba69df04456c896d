import Callsign
import Foundation
import OpenAIKit

// Asks a model, and prints its words as they arrive. OPENAI_API_KEY is your key, and OPENAI_BASE_URL another server.

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
  exit(1)
}

let question = CommandLine.arguments.dropFirst().joined(separator: " ")
if question.isEmpty { fail("usage: Ask QUESTION") }
guard let openAI = OpenAI.fromEnvironment() else { fail("set OPENAI_API_KEY to your key") }
let model = ProcessInfo.processInfo.environment["OPENAI_MODEL"] ?? "gpt-5.5"
do throws(CallError) {
  for try await event in openAI.createResponseStream(model: .unknown(model), input: .string(question)).values {
    switch event {
    case .responseTextDeltaEvent(let event): FileHandle.standardOutput.write(Data(event.delta.utf8))
    case .responseErrorEvent(let event): fail(event.message)
    default: break
    }
  }
  print()
} catch {
  fail(error.advice ?? error.description)
}
