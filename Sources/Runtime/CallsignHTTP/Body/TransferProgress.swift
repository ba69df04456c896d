import CallsignSupport

/// The progress of a transfer, in bytes.
public struct TransferProgress: Sendable, Hashable {
  /// A direction of the bytes.
  public enum Direction: Sendable, Hashable {
    /// The request's body.
    case upload
    /// The response's body.
    case download
  }

  /// The direction of the bytes.
  public var direction: Direction
  /// The number of bytes transferred so far. A call that is sent again begins at 0.
  public var bytes: Int
  /// The total number of bytes; `nil` if it is not known.
  public var total: Int?

  /// States a progress.
  public init(_ direction: Direction, bytes: Int, total: Int?) {
    self.direction = direction
    self.bytes = bytes
    self.total = total
  }
}

extension RequestBody {
  /// Wraps the body to report upload progress, for each piece that the transport takes. An empty one stays as it is: a
  /// stream would be a body even for HEAD.
  package func reporting(to progress: @escaping @Sendable (TransferProgress) -> Void) -> RequestBody {
    let total = length
    if total == 0 { return self }
    switch self {
    case .none: return self
    case .data(let data):
      return .stream(length: data.count) {
        progress(TransferProgress(.upload, bytes: 0, total: total))
        return ReportingSource(DataSource(data), total, progress)
      }
    case .stream(let length, let open):
      return .stream(length: length) {
        progress(TransferProgress(.upload, bytes: 0, total: total))
        return ReportingSource(try open(), total, progress)
      }
    }
  }
}

extension ResponseBody {
  /// Wraps the body to report download progress, for each piece that is read.
  package func reporting(total: Int?, to progress: @escaping @Sendable (TransferProgress) -> Void) -> ResponseBody {
    ResponseBody(ReportingBody(self, total, progress))
  }
}

/// `@unchecked Sendable`: only one piece of a source is requested at a time, see ``BodySource``.
private final class DataSource: BodySource, @unchecked Sendable {
  private var rest: Data

  init(_ data: Data) { rest = data }

  func next(limit: Int) async throws -> Data? {
    guard !rest.isEmpty else { return nil }
    defer { rest = rest.dropFirst(limit) }
    return Data(rest.prefix(limit))
  }
}

/// `@unchecked Sendable`: only one piece of a source is requested at a time, see ``BodySource``.
private final class ReportingSource: BodySource, @unchecked Sendable {
  private let source: any BodySource
  private let total: Int?
  private let progress: @Sendable (TransferProgress) -> Void
  private var bytes = 0

  init(_ source: any BodySource, _ total: Int?, _ progress: @escaping @Sendable (TransferProgress) -> Void) {
    self.source = source
    self.total = total
    self.progress = progress
  }

  func next(limit: Int) async throws -> Data? {
    guard let piece = try await source.next(limit: limit) else { return nil }
    bytes += piece.count
    progress(TransferProgress(.upload, bytes: bytes, total: total))
    return piece
  }
}

private final class ReportingBody: ResponseBodySource {
  private let body: ResponseBody
  private let total: Int?
  private let progress: @Sendable (TransferProgress) -> Void
  private let bytes = Locked(0)

  init(_ body: ResponseBody, _ total: Int?, _ progress: @escaping @Sendable (TransferProgress) -> Void) {
    self.body = body
    self.total = total
    self.progress = progress
  }

  func next() async throws(TransportError) -> Data? {
    var pieces = body.makeAsyncIterator()
    guard let piece = try await pieces.next() else { return nil }
    let sum = bytes.withLock { bytes in
      bytes += piece.count
      return bytes
    }
    progress(TransferProgress(.download, bytes: sum, total: total))
    return piece
  }
}
