import CallsignHTTP

/// The requests of an API's chunked upload. ``ChunkedUpload`` decides when to send each one, and whether to send it again.
public protocol ChunkedUploadAPI<Receipt>: Sendable {
  /// The API's description of a finished upload.
  associatedtype Receipt: Sendable

  /// The maximum number of chunks that the API accepts.
  var chunkLimit: Int { get }

  /// Announces an upload with this number of bytes.
  ///
  /// - Returns: The upload's ID for the other steps.
  func begin(size: Int) async throws(CallError) -> String

  /// Sends one chunk. Sending it again must change nothing.
  ///
  /// - Parameters:
  ///   - chunk: The chunk's bytes.
  ///   - index: The chunk's number, from 0.
  ///   - id: The upload's ID.
  func append(_ chunk: FilePart, index: Int, to id: String) async throws(CallError)

  /// Reports that all chunks were sent.
  func finish(_ id: String) async throws(CallError) -> UploadStage<Receipt>

  /// Asks for the state of processing.
  func status(of id: String) async throws(CallError) -> UploadStage<Receipt>
}

/// An API's response after all chunks were sent.
public struct UploadStage<Receipt: Sendable>: Sendable {
  /// The API's description of the upload.
  public var receipt: Receipt
  /// The state of processing; `nil` if the API does not state it, because there is nothing to do, or because it does not know yet
  /// that all chunks were sent.
  public var processing: ProcessingState?

  /// Creates a stage.
  public init(receipt: Receipt, processing: ProcessingState?) {
    self.receipt = receipt
    self.processing = processing
  }
}

/// The state of an API's processing of an upload.
public enum ProcessingState: Sendable, Hashable {
  /// Processing is done, or there was nothing to do.
  case succeeded
  /// Processing is waiting or in progress. `checkAfter` is when the API wants to be asked again; `percent` is how much is done.
  case pending(checkAfter: Duration?, percent: Int?)
  /// Processing failed.
  case failed(ProcessingFailure)
}

/// An API's failure to process an upload, in its own words.
public struct ProcessingFailure: Error, Sendable, Hashable {
  /// The API's number for it, if it has one.
  public var code: Int?
  /// The API's name for it, such as `InvalidMedia`.
  public var name: String?
  /// The API's message about it.
  public var message: String?

  /// Creates a failure.
  public init(code: Int? = nil, name: String? = nil, message: String? = nil) {
    self.code = code
    self.name = name
    self.message = message
  }
}
