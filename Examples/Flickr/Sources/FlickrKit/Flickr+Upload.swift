import Callsign
import Foundation

extension Flickr {
  /// A photo to upload.
  public struct Upload: Sendable {
    /// The file. It is read during the upload.
    public var file: URL
    /// Its title. Default: none.
    public var title: String?
    /// Its description. Default: none.
    public var description: String?
    /// Tags to find it by. Default: none.
    public var tags: [String]
    /// Whether everybody can see it. Default, `nil`: the account's setting.
    public var isPublic: Bool?

    /// Describes a photo; see the properties for the defaults.
    public init(
      _ file: URL, title: String? = nil, description: String? = nil, tags: [String] = [], isPublic: Bool? = nil
    ) {
      self.file = file
      self.title = title
      self.description = description
      self.tags = tags
      self.isPublic = isPublic
    }
  }

  /// An upload that Flickr refused. Its status is also 200, and its body is XML.
  public struct UploadError: Error, Hashable, CustomStringConvertible {
    /// Flickr's number for it: 5 is a file of an unknown type, 6 a used-up allowance.
    public let code: Int
    /// Flickr's message.
    public let message: String
    /// Describes a refusal.
    public init(code: Int, message: String) {
      self.code = code
      self.message = message
    }

    /// Both in one line.
    public var description: String { "Flickr took no photo: \(message) (\(code))" }
  }

  /// Uploads a photo.
  ///
  /// - Returns: The photo's id.
  /// - Throws: `CallError`; ``UploadError`` with Flickr's reason. If `CallError.mayHaveSucceeded` is true, check before you upload
  ///   again.
  public func upload(_ photo: Upload) async throws -> PhotoID {
    let type = Self.mediaTypes[photo.file.pathExtension.lowercased()] ?? "application/octet-stream"
    let response = try await uploadPhoto(
      photo: FilePart(file: photo.file, mediaType: type), title: photo.title, description: photo.description,
      // A tag of several words is in quotes.
      tags: photo.tags.isEmpty ? nil : photo.tags.map { $0.contains(" ") ? "\"\($0)\"" : $0 },
      isPublic: photo.isPublic.map { $0 ? .yes : .no })
    let text = String(decoding: response.value, as: UTF8.self)
    if let id = text.firstMatch(of: /<photoid[^>]*>([0-9]+)<\/photoid>/) { return String(id.1) }
    let refusal = text.firstMatch(of: /<err code="([0-9]+)" msg="([^"]*)"/)
    throw UploadError(
      code: refusal.flatMap { Int($0.1) } ?? 0,
      message: refusal.map { String($0.2) } ?? "the response has no photo's id")
  }

  private static let mediaTypes = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "heic": "image/heic",
  ]
}
