import Foundation

extension UploadError: CustomStringConvertible, LocalizedError {
  /// What happened and what to do, in one line that is fit for a log.
  public var description: String {
    let what =
      switch cause {
      case .file(let problem): "the upload cannot be made: \(problem)"
      case .content(let problem): "the upload cannot be made: \(problem)"
      case .call(let error, .append) where error.isAboutChunkSize:
        "a chunk was refused: \(error); set UploadOptions.chunkSize to 1 MiB, and upload again"
      case .call(let error, .describe):
        "the file is uploaded, but what belongs to it could not be added; add it again by the id: \(error)"
      case .call(let error, let step): "the upload failed at the step '\(step.rawValue)': \(error)"
      case .processingFailed(let failure): "\(failure)"
      case .processingTimedOut(let limit):
        "the API has not finished processing after \(limit.components.seconds) s; resume the upload to wait on"
      case .cannotResume:
        "what is to be resumed is not an upload of this content as it is now; upload it from the beginning"
      case .cancelled: "the upload was cancelled"
      }
    guard let resumption, !resumption.finishedChunks.isEmpty, !resumption.isFinished else { return what }
    return "\(what); \(resumption.finishedChunks.count) chunks have arrived, and the upload can be resumed"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension ContentProblem: CustomStringConvertible, LocalizedError {
  /// What is wrong and what to do, in one line.
  public var description: String {
    switch self {
    case .tooLarge(let size, let limit, let category):
      """
      it has \(size) bytes, and the API takes at most \(limit) as \(category.printable); make it smaller, or raise \
      UploadOptions.sizeLimit if your account may upload more
      """
    case .unknownType:
      "neither its first bytes nor its name tell what it is; name its type by the argument 'type'"
    case .unacceptedType(let type):
      "the API takes no \(type.printable); convert it to JPEG, PNG, GIF, WebP, MP4 or QuickTime"
    case .wrongCategory(let category, let type):
      "\(type.printable) cannot be uploaded as \(category.printable); leave the category out, or correct it"
    case .textTooLong(let count, let limit):
      "the alternative text has \(count) characters, and the API takes at most \(limit); shorten it"
    case .noSubtitles(let category):
      "subtitles belong to videos of posts, not to \(category.printable); leave them out, or correct the category"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension ProcessingFailure: CustomStringConvertible, LocalizedError {
  /// What the API says, in one line.
  public var description: String {
    let name = name ?? "no reason given"
    let number = code.map { ", code \($0)" } ?? ""
    let words = message.map { ": \($0)" } ?? ""
    let what = "the API could not process the upload (\(name)\(number))\(words)".printable.prefix(400)
    return "\(what); check the file's format against the API's requirements, and upload a corrected one"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension CallError {
  /// Whether the request was too large for the server or something before it.
  var isAboutChunkSize: Bool { rawResponse?.status.code == 413 || rawResponse?.status.code == 431 }
}
