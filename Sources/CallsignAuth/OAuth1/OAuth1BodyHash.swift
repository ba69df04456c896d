import CallsignHTTP
import Foundation

/// `oauth_body_hash` of the extension "OAuth Request Body Hash 1.0": covers by the signature what RFC 5849 leaves out
/// of it, a body that is no form.
enum OAuth1BodyHash {
  static let name = "oauth_body_hash"

  /// The hash's parameter. A body that is streamed is read once for it, and once more when it is sent.
  ///
  /// - Returns: `nil` for a form, whose fields are signed themselves; the extension forbids a hash of it.
  /// - Throws: ``CryptographyError``, or what the body's source throws as ``TransportError``.
  static func parameter(
    of request: TransportRequest, method: OAuth1SignatureMethod
  ) async throws -> (name: String, value: String)? {
    guard !request.isForm else { return nil }
    let digest = try RunningDigest(method.bodyHash)
    switch request.body {
    case .none: break
    case .data(let data): try digest.add(data)
    case .stream:
      let source = try request.body.openStream()
      do {
        while let piece = try await source?.next(limit: 64 * 1024) { try digest.add(piece) }
      } catch let error as CryptographyError {
        throw error
      } catch {
        throw TransportError(.bodySource, delivery: .notSent, detail: "\(type(of: error))")
      }
    }
    return (name, Data(try digest.finish()).base64EncodedString())
  }
}

extension OAuth1SignatureMethod {
  /// The extension knows SHA-1 alone; the newer method takes the hash that it is named after, as other implementations
  /// have it.
  fileprivate var bodyHash: Digest.Function {
    switch self {
    case .hmacSHA256: .sha256
    case .hmacSHA1, .rsaSHA1, .plaintext: .sha1
    }
  }
}
