import Foundation

/// A file, or bytes that go as one, in a multipart body.
public struct FilePart: Sendable, Hashable {
  /// Where the bytes are.
  public enum Content: Sendable, Hashable {
    case data(Data)
    /// A file on disk, read while it is sent. Its size must not change in between.
    case file(URL)
    /// Bytes that come piece by piece, such as a part of a file.
    case source(PartSource)
  }

  /// Where the bytes are.
  public var content: Content
  /// The name that the server is told; it need not be that of a file on disk.
  public var fileName: String
  /// The media type, such as `image/png`.
  public var mediaType: String

  /// - Parameters:
  ///   - content: Where the bytes are.
  ///   - fileName: The name that the server is told.
  ///   - mediaType: Default: `application/octet-stream`.
  public init(_ content: Content, fileName: String, mediaType: String = "application/octet-stream") {
    self.content = content
    self.fileName = fileName
    self.mediaType = mediaType
  }

  /// Bytes in memory.
  public init(_ data: Data, fileName: String, mediaType: String = "application/octet-stream") {
    self.init(.data(data), fileName: fileName, mediaType: mediaType)
  }

  /// A file on disk, under its own name.
  public init(file: URL, mediaType: String = "application/octet-stream") {
    self.init(.file(file), fileName: file.lastPathComponent, mediaType: mediaType)
  }
}
