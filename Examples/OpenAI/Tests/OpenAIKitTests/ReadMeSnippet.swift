import OpenAIKit

/// The first code of the README. It is compiled here, and not run, because it needs a key.
func tellBedtimeStory() async throws {
  guard let openAI = OpenAI.fromEnvironment() else { return }  // without OPENAI_API_KEY
  for try await event in openAI.createResponseStream(model: .gpt5_5, input: "Tell a bedtime story.").values {
    if case .responseTextDeltaEvent(let event) = event { print(event.delta, terminator: "") }
  }
}
