import CallsignHTTP
import Foundation

/// Why an upload did not succeed.
public struct UploadError: Error, Sendable {
  /// A request of the upload.
  public enum Step: String, Sendable, Hashable {
    /// Announcing it.
    case begin
    /// Sending a chunk.
    case append
    /// Telling that all chunks were sent.
    case finish
    /// Asking how far the processing has come.
    case status
    /// Adding alternative text, subtitles or other metadata.
    case describe
  }

  /// What went wrong.
  public indirect enum Cause: Sendable {
    /// The file cannot be read, or changed.
    case file(FileProblem)
    /// The API takes no such content.
    case content(ContentProblem)
    /// A request failed, after repetitions where they were worth it.
    case call(CallError, Step)
    /// The API could not process what was uploaded.
    case processingFailed(ProcessingFailure)
    /// The API's processing took longer than ``UploadOptions/processingTimeout``. It goes on, and a resumed upload waits
    /// for its end.
    case processingTimedOut(Duration)
    /// What was to be resumed is the upload of another file, or of one that has changed since.
    case cannotResume
    /// The task was cancelled.
    case cancelled
  }

  /// What went wrong.
  public var cause: Cause
  /// The API's id of the upload, where it was begun.
  public var uploadID: String?
  /// Where the upload can go on; `nil` where nothing was begun, or nothing would be won.
  public var resumption: UploadResumption?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - cause: What went wrong.
  ///   - uploadID: The API's id of the upload.
  ///   - resumption: Where it can go on.
  public init(_ cause: Cause, uploadID: String? = nil, resumption: UploadResumption? = nil) {
    self.cause = cause
    self.uploadID = uploadID ?? resumption?.uploadID
    self.resumption = resumption
  }

  /// Makes an error of one that a request failed with; a cancellation stays one.
  public init(_ error: CallError, _ step: Step, uploadID: String? = nil) {
    if case .cancelled = error {
      self.init(.cancelled, uploadID: uploadID)
    } else {
      self.init(.call(error, step), uploadID: uploadID)
    }
  }

  /// The failed request's error, where a request failed.
  public var callError: CallError? {
    guard case .call(let error, _) = cause else { return nil }
    return error
  }
}

/// Why an API would not take a content, known before a byte is sent.
public enum ContentProblem: Error, Sendable, Hashable {
  /// It has more bytes than the limit of its category.
  case tooLarge(size: Int, limit: Int, category: String)
  /// Neither its first bytes nor the file's name tell of which type it is.
  case unknownType
  /// The API takes no such media type.
  case unacceptedType(String)
  /// The category is not for this media type.
  case wrongCategory(String, type: String)
  /// Text that goes with it is longer than the API takes, in characters.
  case textTooLong(count: Int, limit: Int)
  /// Subtitles can't be added to this category.
  case noSubtitles(category: String)
}
