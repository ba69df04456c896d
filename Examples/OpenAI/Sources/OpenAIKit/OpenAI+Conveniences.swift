import Callsign
import Foundation

extension OpenAI.ChatMessage {
  /// Instructions of the program, which count for more than the user's.
  public static func developer(_ text: String) -> Self {
    .developerMessage(OpenAI.DeveloperMessage(content: .string(text)))
  }

  /// A message of the user.
  public static func user(_ text: String) -> Self { .userMessage(OpenAI.UserMessage(content: .string(text))) }

  /// A message of the user, with pictures, sound or files.
  public static func user(_ parts: [OpenAI.UserContentPart]) -> Self {
    .userMessage(OpenAI.UserMessage(content: .userContentPartList(parts)))
  }

  /// An earlier message of the model, with the tools that it asked for.
  public static func assistant(_ message: OpenAI.ChatCompletionMessage) -> Self {
    .assistantMessage(
      OpenAI.AssistantMessage(
        content: message.content.map { .value(.string($0)) }, refusal: message.refusal.map { .value($0) },
        toolCalls: message.toolCalls.isEmpty ? nil : message.toolCalls))
  }

  /// The result of a tool.
  ///
  /// - Parameters:
  ///   - result: Text, mostly JSON.
  ///   - call: The ID of the call that the model asked for.
  public static func tool(_ result: String, for call: String) -> Self {
    .toolMessage(OpenAI.ToolMessage(content: .string(result), toolCallID: call))
  }
}

extension OpenAI.UserContentPart {
  /// A text.
  public static func text(_ text: String) -> Self { .textPart(OpenAI.TextPart(text: text)) }

  /// A picture on the web, or one from ``OpenAI/dataURL(_:mediaType:)``.
  public static func image(_ url: URL, detail: OpenAI.FileDetail? = nil) -> Self {
    .imagePart(OpenAI.ImagePart(imageURL: OpenAI.ImageURL(url: url, detail: detail)))
  }
}

extension OpenAI.ChatTool {
  /// A function that the model may ask for.
  ///
  /// - Parameters:
  ///   - name: The function's name.
  ///   - description: What it does, and when to use it.
  ///   - parameters: The JSON schema of its arguments.
  ///   - strict: Whether the arguments always fit the schema. Default: as the API decides.
  public static func function(
    _ name: String, description: String? = nil, parameters: [String: JSONValue]? = nil, strict: Bool? = nil
  ) -> Self {
    .chatFunctionTool(
      OpenAI.ChatFunctionTool(
        function: OpenAI.FunctionObject(
          name: name, description: description, parameters: parameters, strict: strict.map { .value($0) })))
  }
}

extension OpenAI.Tool {
  /// A function that the model may ask for.
  ///
  /// - Parameters:
  ///   - name: The function's name.
  ///   - description: What it does, and when to use it.
  ///   - parameters: The JSON schema of its arguments.
  ///   - strict: Whether the arguments always fit the schema.
  public static func function(
    _ name: String, description: String? = nil, parameters: [String: JSONValue], strict: Bool = true
  ) -> Self {
    .functionTool(
      OpenAI.FunctionTool(
        name: name, parameters: .value(parameters), strict: .value(strict), description: description.map { .value($0) })
    )
  }
}

extension OpenAI.InputItem {
  /// A message of the user.
  public static func user(_ content: [OpenAI.InputContent]) -> Self {
    .inputItemMessage(.easyInputMessage(OpenAI.EasyInputMessage(role: .user, content: .inputContentList(content))))
  }

  /// A function that the model asked for in an earlier response.
  public static func call(_ call: OpenAI.FunctionToolCall) -> Self { .item(.functionToolCall(call)) }

  /// The result of a function.
  ///
  /// - Parameters:
  ///   - result: Text, mostly JSON.
  ///   - call: The call that the model asked for.
  public static func result(_ result: String, of call: OpenAI.FunctionToolCall) -> Self {
    .item(
      .functionCallOutputItemParam(
        OpenAI.FunctionCallOutputItemParam(output: .string(result), callID: .value(call.callID))))
  }
}

extension OpenAI.InputContent {
  /// A text.
  public static func text(_ text: String) -> Self { .inputTextContent(OpenAI.InputTextContent(text: text)) }

  /// A picture on the web, or one from ``OpenAI/dataURL(_:mediaType:)``.
  public static func image(_ url: URL, detail: OpenAI.ImageDetail = .auto) -> Self {
    .inputImageContent(OpenAI.InputImageContent(detail: detail, imageURL: .value(url)))
  }
}

extension OpenAI.InputParam: ExpressibleByStringLiteral {
  /// A message of the user.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension OpenAI.CreateEmbeddingInput: ExpressibleByStringLiteral {
  /// One text.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension OpenAI.CreateModerationInput: ExpressibleByStringLiteral {
  /// One text.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension OpenAI.ModelResponse {
  /// The text of the response: that of all of its messages.
  public var outputText: String {
    output.flatMap { item -> [String] in
      guard case .outputMessage(let message) = item else { return [] }
      return message.content.compactMap { content in
        if case .outputTextContent(let content) = content { content.text } else { nil }
      }
    }.joined()
  }

  /// The functions that the model asks for.
  public var functionCalls: [OpenAI.FunctionToolCall] {
    output.compactMap { item in
      if case .functionToolCall(let call) = item { call } else { nil }
    }
  }
}

extension OpenAI {
  /// A URL that has a picture in it, for a message to a model.
  ///
  /// - Parameters:
  ///   - data: The picture.
  ///   - mediaType: Its type, such as `image/png`.
  /// - Returns: `nil` if the type is not one that a URL can have.
  public static func dataURL(_ data: Data, mediaType: String) -> URL? {
    URL(string: "data:\(mediaType);base64,\(data.base64EncodedString())")
  }
}

extension RawResponse {
  /// OpenAI's ID of the request, which its support asks for.
  public var requestID: String? { header("x-request-id") }
}
