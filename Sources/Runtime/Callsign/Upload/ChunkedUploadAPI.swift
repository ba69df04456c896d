import CallsignHTTP

/// The requests of an API's upload in chunks. ``ChunkedUpload`` decides when each is sent, and whether again.
public protocol ChunkedUploadAPI<Receipt>: Sendable {
  /// The API's account of a finished upload.
  associatedtype Receipt: Sendable

  /// The most chunks that the API takes.
  var chunkLimit: Int { get }

  /// Announces an upload of a number of bytes.
  ///
  /// - Returns: The upload's id for the other steps.
  func begin(size: Int) async throws(CallError) -> String

  /// Sends one chunk. To do so again must change nothing.
  ///
  /// - Parameters:
  ///   - chunk: Its bytes.
  ///   - index: Its number, from 0.
  ///   - id: The upload's.
  func append(_ chunk: FilePart, index: Int, to id: String) async throws(CallError)

  /// Reports that all chunks were sent.
  func finish(_ id: String) async throws(CallError) -> UploadStage<Receipt>

  /// Asks how far the processing has come.
  func status(of id: String) async throws(CallError) -> UploadStage<Receipt>
}

/// An API's response after all chunks were sent.
public struct UploadStage<Receipt: Sendable>: Sendable {
  /// The API's account of the upload.
  public var receipt: Receipt
  /// The state of the processing; `nil` if the API does not state it, because there is nothing to do, or because it
  /// does not know yet that all chunks were sent.
  public var processing: ProcessingState?

  /// Joins the two.
  public init(receipt: Receipt, processing: ProcessingState?) {
    self.receipt = receipt
    self.processing = processing
  }
}

/// The state of an API's processing of an upload.
public enum ProcessingState: Sendable, Hashable {
  /// It is done, or there was nothing to do.
  case succeeded
  /// It is waiting or under way. `checkAfter` is when the API wants to be asked again, `percent` how much is done.
  case pending(checkAfter: Duration?, percent: Int?)
  /// It ended without success.
  case failed(ProcessingFailure)
}

/// The failure of an API to process an upload, in its own words.
public struct ProcessingFailure: Error, Sendable, Hashable {
  /// The API's number for it, if it has one.
  public var code: Int?
  /// The API's name for it, such as `InvalidMedia`.
  public var name: String?
  /// The API's sentence about it.
  public var message: String?

  /// Makes one.
  public init(code: Int? = nil, name: String? = nil, message: String? = nil) {
    self.code = code
    self.name = name
    self.message = message
  }
}
