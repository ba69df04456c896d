import Callsign
import CallsignMock
import Foundation
import OpenAIKit
import Testing

@Suite("Images and audio") struct MediaTests {
  private let png = FilePart(Data([0x89, 0x50, 0x4E, 0x47]), fileName: "one.png", mediaType: "image/png")
  private let sound = FilePart(Data([1, 2, 3]), fileName: "speech.mp3", mediaType: "audio/mpeg")

  private func text(_ request: MockRequest?) -> String { String(decoding: request?.body ?? Data(), as: UTF8.self) }

  @Test("Pictures are made from words") func images() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createImage",
      with: .json(["created": 1_795_341_900, "data": [["b64_json": "AQID"], ["url": "https://example.com/2.png"]]]))
    let made = try await makeClient(mock).createImage(prompt: "A cat", model: .value(.gptImage1), n: 2)
    #expect(made.data.first?.bytes == Data([1, 2, 3]))
    #expect(made.data.last?.url == URL(string: "https://example.com/2.png"))
    #expect(mock.requests.first?.bodyValue == ["prompt": "A cat", "model": "gpt-image-1", "n": 2])
  }

  @Test("A picture arrives while it is made") func imageStream() async throws {
    let mock = try makeMock()
    func event(_ type: String, _ more: [String: JSONValue]) -> JSONValue {
      let common: [String: JSONValue] = [
        "type": .string(type), "b64_json": "AQID", "created_at": 1_795_341_900, "size": "1024x1024", "quality": "low",
        "background": "auto", "output_format": "png",
      ]
      return .object(common.merging(more) { $1 })
    }
    let usage: JSONValue = [
      "total_tokens": 3, "input_tokens": 1, "output_tokens": 2,
      "input_tokens_details": ["text_tokens": 1, "image_tokens": 0],
    ]
    try mock.reply(
      to: "createImageStream",
      with: .records([
        event("image_generation.partial_image", ["partial_image_index": 0]),
        event("image_generation.completed", ["usage": usage]),
      ]))
    var seen: [String] = []
    for try await event in makeClient(mock).createImageStream(prompt: "A cat", partialImages: 1).values {
      switch event {
      case .imageGenPartialImageEvent(let event): seen.append("partial \(event.partialImageIndex)")
      case .imageGenCompletedEvent(let event): seen.append("completed \(event.bytes.count)")
      case .unknown: seen.append("?")
      }
    }
    #expect(seen == ["partial 0", "completed 3"])
  }

  @Test("One picture is sent as `image`") func oneImage() async throws {
    let mock = try makeMock()
    _ = try await makeClient(mock).createImageEdit(image: .one(png), prompt: "Add a hat")
    let body = text(mock.requests.first)
    #expect(body.contains(#"name="image"; filename="one.png""#) && !body.contains(#"name="image[]""#))
    #expect(body.contains("image/png") && body.contains("Add a hat"))
  }

  @Test("Several pictures are sent as `image[]`, each in a part") func manyImages() async throws {
    let mock = try makeMock()
    let other = FilePart(Data([0xFF, 0xD8]), fileName: "two.jpg", mediaType: "image/jpeg")
    _ = try await makeClient(mock).createImageEdit(image: .many([png, other]), prompt: "Join them")
    let body = text(mock.requests.first)
    #expect(
      body.contains(#"name="image[]"; filename="one.png""#) && body.contains(#"name="image[]"; filename="two.jpg""#))
  }

  @Test("Speech is bytes") func speech() async throws {
    let mock = try makeMock()
    try mock.reply(to: "createSpeech", with: .data(Data([7, 8, 9]), contentType: "audio/mpeg"))
    let speech = try await makeClient(mock).createSpeech(
      model: .gpt4oMiniTts, input: "Hello", voice: .voiceIDsShared(.alloy))
    #expect(speech.value == Data([7, 8, 9]))
    #expect(mock.requests.first?.bodyValue == ["model": "gpt-4o-mini-tts", "input": "Hello", "voice": "alloy"])
  }

  @Test("Speech arrives in pieces") func speechStream() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createSpeechStream",
      with: .records([
        ["type": "speech.audio.delta", "audio": "AQ=="], ["type": "speech.audio.delta", "audio": "Ag=="],
        ["type": "speech.audio.done", "usage": ["input_tokens": 1, "output_tokens": 2, "total_tokens": 3]],
      ]))
    var bytes = Data()
    for try await event in makeClient(mock).createSpeechStream(
      model: .gpt4oMiniTts, input: "Hello", voice: .voiceIDsShared(.alloy)
    ).values {
      if case .speechAudioDeltaEvent(let event) = event { bytes += event.audio }
    }
    #expect(bytes == Data([1, 2]) && mock.requests.first?.bodyValue?.object?["stream_format"] == "sse")
  }

  @Test("A transcript is typed by its form: plain, with segments, or with speakers") func transcription() async throws {
    let mock = try makeMock()
    let openAI = makeClient(mock)
    try mock.reply(to: "createTranscription", with: .json(["text": "Hello"]), times: 1)
    try mock.reply(
      to: "createTranscription", with: .json(["text": "Hello", "language": "english", "duration": 1.5, "segments": []]))
    let plain = try await openAI.createTranscription(file: sound, model: .whisper1)
    #expect(plain.text == "Hello")
    let verbose = try await openAI.createTranscription(
      file: sound, model: .whisper1, responseFormat: .verboseJSON, timestampGranularities: [.word, .segment])
    guard case .createTranscriptionResponseLanguage(let value) = verbose.value else {
      Issue.record("\(verbose.value)")
      return
    }
    #expect(value.language == "english" && value.duration == 1.5)
    let body = text(mock.requests.last)
    #expect(body.components(separatedBy: #"name="timestamp_granularities[]""#).count == 3)
    #expect(body.contains(#"name="file"; filename="speech.mp3""#))
  }

  @Test("A transcript as subtitles is text") func subtitles() async throws {
    let mock = try makeMock()
    let subtitles = "1\n00:00:00,000 --> 00:00:01,500\nHello\n"
    try mock.reply(
      to: "createTranscriptionText", with: .data(Data(subtitles.utf8), contentType: "text/plain; charset=utf-8"))
    let response = try await makeClient(mock).createTranscriptionText(
      file: sound, model: .whisper1, responseFormat: .srt)
    #expect(response.value == subtitles)
  }

  @Test("A transcript arrives while it is written") func transcriptStream() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createTranscriptionStream",
      with: .records([
        ["type": "transcript.text.delta", "delta": "Hel"], ["type": "transcript.text.delta", "delta": "lo"],
        ["type": "transcript.text.done", "text": "Hello"],
      ]))
    var text = ""
    var whole: String?
    for try await event in makeClient(mock).createTranscriptionStream(file: sound, model: .gpt4oTranscribe).values {
      switch event {
      case .transcriptTextDeltaEvent(let event): text += event.delta
      case .transcriptTextDoneEvent(let event): whole = event.text
      default: break
      }
    }
    #expect(text == "Hello" && whole == "Hello")
  }
}
