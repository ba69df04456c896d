import CallsignHTTP
import CallsignSupport

/// The failure of an upload.
public struct UploadError: Error, Sendable {
  /// A request of the upload.
  public enum Step: String, Sendable, Hashable {
    /// Announcing it.
    case begin
    /// Sending a chunk.
    case append
    /// Reporting that all chunks were sent.
    case finish
    /// Checking the progress of the processing.
    case status
    /// Adding alternative text, subtitles or other metadata.
    case describe
  }

  /// The kinds of failure.
  public indirect enum Cause: Sendable {
    /// The file cannot be read, or changed.
    case file(FileProblem)
    /// The API does not accept such content.
    case content(ContentProblem)
    /// A request failed, after retries if they could help.
    case call(CallError, Step)
    /// The API could not process the uploaded file.
    case processingFailed(ProcessingFailure)
    /// The API's processing took longer than ``UploadOptions/processingTimeout``. It continues, and a resumed upload waits for its
    /// end.
    case processingTimedOut(Duration)
    /// The upload to resume is one of another file, or of one that has changed since.
    case cannotResume
    /// The task was cancelled.
    case cancelled
  }

  /// The failure.
  public var cause: Cause
  /// The API's id of the upload, if it was begun.
  public var uploadID: String?
  /// The point where the upload can resume; `nil` if nothing was started, or if resuming would not help.
  ///
  /// For example, the API may have forgotten a resumed upload that it refuses, and chunks that were too large stay too
  /// large.
  ///
  /// If the file is uploaded and only metadata such as alternative text is missing, resuming adds it.
  public var resumption: UploadResumption?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - cause: The failure.
  ///   - uploadID: The API's ID of the upload.
  ///   - resumption: The point where it can resume.
  public init(_ cause: Cause, uploadID: String? = nil, resumption: UploadResumption? = nil) {
    self.cause = cause
    self.uploadID = uploadID ?? resumption?.uploadID
    self.resumption = resumption
  }

  /// Makes an error from that of a failed request; a cancellation stays one.
  public init(_ error: CallError, _ step: Step, uploadID: String? = nil) {
    if error.isCancellation {
      self.init(.cancelled, uploadID: uploadID)
    } else {
      self.init(.call(error, step), uploadID: uploadID)
    }
  }

  /// The failed request's error, if a request failed.
  public var callError: CallError? {
    guard case .call(let error, _) = cause else { return nil }
    return error
  }
}

/// A reason why an API would not accept a content, known before a byte is sent.
public enum ContentProblem: Error, Sendable, Hashable {
  /// It has more bytes than the limit of its category.
  case tooLarge(size: Int, limit: Int, category: String)
  /// Neither its first bytes nor the file's name show its type.
  case unknownType
  /// The API does not accept this media type.
  case unacceptedType(String)
  /// The category is not for this media type.
  case wrongCategory(String, type: String)
  /// Text that belongs to it is longer than the API accepts, in characters.
  case textTooLong(count: Int, limit: Int)
  /// Subtitles can't be added to this category.
  case noSubtitles(category: String)
}

extension UploadError: CallsignError {
  /// Advice on it, in one sentence; `nil` if the details say it better.
  public var advice: String? {
    switch cause {
    case .file: nil
    case .content(let problem): problem.advice
    case .call(let error, .append) where error.isAboutChunkSize:
      "set UploadOptions.chunkSize to less, such as 256 KiB, and upload again"
    case .call(let error, _): error.advice
    case .processingFailed(let failure): failure.advice
    case .processingTimedOut: "resume the upload to wait on"
    case .cannotResume: "upload it from the beginning"
    case .cancelled: nil
    }
  }

  /// Whether only metadata has failed, at a step after the file was uploaded.
  private var isBeside: Bool {
    guard resumption?.isFinished == true else { return false }
    return switch cause {
    case .file, .content, .processingFailed: true
    default: false
    }
  }

  private var beside: String {
    let name = uploadID.map { " as \($0.printable)" } ?? ""
    return "the file is uploaded\(name), but what belongs to it could not be added"
  }

  /// The failure and advice, in one line that is fit for a log.
  public var description: String {
    let what =
      switch cause {
      case .file(let problem): "the upload cannot be made: \(problem)"
      case .content(let problem): "the upload cannot be made: \(problem)"
      case .call(let error, .append) where error.isAboutChunkSize: "a chunk was refused: \(error); \(advice ?? "")"
      case .call(let error, .describe): "\(beside); add it again by the id, or resume the upload: \(error)"
      case .call(let error, let step): "the upload failed at the step `\(step.rawValue)`: \(error)"
      case .processingFailed(let failure): "\(failure)"
      case .processingTimedOut(let limit):
        "the API has not finished processing after \(limit.components.seconds) s; \(advice ?? "")"
      case .cannotResume: "what is to be resumed is not an upload of this content as it is now; \(advice ?? "")"
      case .cancelled: "the upload was cancelled"
      }
    if isBeside { return "\(beside): \(what)" }
    guard let resumption, !resumption.finishedChunks.isEmpty, !resumption.isFinished else { return what }
    return "\(what); \(resumption.finishedChunks.count) chunks have arrived, and the upload can be resumed"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice }
}

extension ContentProblem: CallsignError {
  /// Advice on it, in one sentence.
  public var advice: String {
    switch self {
    case .tooLarge: "make it smaller, or raise UploadOptions.sizeLimit if your account may upload more"
    case .unknownType: "name its type by the argument `type`"
    case .unacceptedType: "convert it to JPEG, PNG, GIF, WebP, MP4 or QuickTime"
    case .wrongCategory: "leave the category out, or correct it"
    case .textTooLong: "shorten it"
    case .noSubtitles: "leave them out, or correct the category"
    }
  }

  /// The problem and advice, in one line.
  public var description: String {
    let what =
      switch self {
      case .tooLarge(let size, let limit, let category):
        "it has \(size) bytes, and the API takes at most \(limit) as \(category.printable)"
      case .unknownType: "neither its first bytes nor its name show its type"
      case .unacceptedType(let type): "the API takes no \(type.printable)"
      case .wrongCategory(let category, let type): "\(type.printable) cannot be uploaded as \(category.printable)"
      case .textTooLong(let count, let limit):
        "the alternative text has \(count) characters, and the API takes at most \(limit)"
      case .noSubtitles(let category): "subtitles belong to videos of posts, not to \(category.printable)"
      }
    return "\(what); \(advice)"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}

extension ProcessingFailure: CallsignError {
  /// Advice on it, in one sentence.
  public var advice: String { "check the file's format against the API's requirements, and upload a corrected one" }

  /// The API's reason and advice, in one line.
  public var description: String {
    let name = name ?? "no reason given"
    let number = code.map { ", code \($0)" } ?? ""
    let words = message.map { ": \($0)" } ?? ""
    let what = "the API could not process the upload (\(name)\(number))\(words)".printable.prefix(400)
    return "\(what); \(advice)"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}

extension CallError {
  /// Whether the API refuses the upload itself, and not because of the credentials, the account's quota, or a temporary
  /// condition.
  var isAboutUpload: Bool {
    guard case .api(let error) = self, error.status.kind == .clientError else { return false }
    return ![401, 402, 403, 408, 425, 429].contains(error.status.code)
  }

  /// Whether the request was too large for the server or a proxy in front of it.
  var isAboutChunkSize: Bool { rawResponse?.status.code == 413 || rawResponse?.status.code == 431 }
}
