import Callsign
import CallsignAuth
import Foundation
import HTTPTypes

extension OAuth1Provider {
  /// Flickr's logins. The page requires a permission, `OAuth1AuthorizationOptions(parameters: ["perms": "write"])`: `read`, `write`
  /// or `delete`.
  ///
  /// Source: https://www.flickr.com/services/api/auth.oauth.html
  public static let flickr = OAuth1Provider(
    requestTokenURL: "https://www.flickr.com/services/oauth/request_token",
    authorizeURL: "https://www.flickr.com/services/oauth/authorize",
    accessTokenURL: "https://www.flickr.com/services/oauth/access_token", hosts: ["*.flickr.com"])
}

/// An account of Flickr, whose requests are signed as Flickr verifies them.
///
/// OAuth 1.0a leaves a multipart form out of the signature (RFC 5849 §3.4.1.3.1). Flickr requires the form's texts in the
/// signature, but not the photo. So the texts are put into the query while the request is signed, and then removed again.
///
/// Source: https://www.flickr.com/services/api/upload.api.html
public struct FlickrAccount: Authenticator {
  private let account: OAuth1Account

  /// Signs with an account's token.
  public init(_ account: OAuth1Account) { self.account = account }

  /// The hosts of Flickr.
  public var hosts: AllowedHosts { account.hosts }
  /// Distinguishes the account from others.
  public var identity: CredentialIdentity { account.identity }
  /// Distinguishes the app from others.
  public var appIdentity: CredentialIdentity? { account.appIdentity }

  /// Reads the token.
  public func prepare() async { await account.prepare() }

  /// `oauth1`
  public func satisfies(_ requirement: AuthRequirement) -> Bool { account.satisfies(requirement) }

  /// Signs a request, including the texts of a multipart form.
  ///
  /// - Throws: `CallError` if there is no token, or the form cannot be read.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    let texts: [(name: String, value: String)]
    do throws(TransportError) { texts = try await MultipartTexts.read(request) } catch { throw .transport(error) }
    let query = request.url.query
    if !texts.isEmpty {
      let pairs = texts.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
      request.url.query = ((query.map { [$0] } ?? []) + pairs).joined(separator: "&")
    }
    try await account.authenticate(&request, context: context)
    request.url.query = query
  }

  /// Signs again if the clock was wrong.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery { try await account.rejected(rejection, context: context) }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// RFC 3986 §2.3
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// The texts of a multipart form that come before its first file.
enum MultipartTexts {
  /// If the texts before the file have more bytes than this, the form is not one for Flickr.
  private static let limit = 256 * 1024

  /// Reads the beginning of a request's body, up to the first part that is a file.
  ///
  /// - Throws: `TransportError` if the body cannot be read.
  static func read(_ request: TransportRequest) async throws(TransportError) -> [(name: String, value: String)] {
    guard let contentType = request.headerFields[.contentType], contentType.hasPrefix("multipart/form-data"),
      let boundary = contentType.range(of: "boundary=").map({ contentType[$0.upperBound...] }),
      case .stream(_, let open) = request.body
    else { return [] }
    var bytes = Data()
    do {
      let source = try open()
      while bytes.count < limit, bytes.range(of: Data("; filename=".utf8)) == nil,
        let piece = try await source.next(limit: 16 * 1024)
      { bytes.append(piece) }
    } catch let error as TransportError { throw error } catch {
      throw TransportError(.bodySource, delivery: .notSent, detail: "\(type(of: error))")
    }
    return texts(in: bytes, boundary: String(boundary))
  }

  /// A part's name is in quotes; the value is between an empty line and the next boundary.
  private static func texts(in bytes: Data, boundary: String) -> [(name: String, value: String)] {
    var texts: [(String, String)] = []
    var rest = bytes[...]
    let (mark, gap, name) = (Data("--\(boundary)".utf8), Data("\r\n\r\n".utf8), Data(" name=\"".utf8))
    while let begin = rest.range(of: mark) {
      rest = rest[begin.upperBound...]
      guard let head = rest.range(of: gap), let label = rest[..<head.lowerBound].range(of: name),
        rest[..<head.lowerBound].range(of: Data("; filename=".utf8)) == nil,
        let end = rest[head.upperBound...].range(of: Data("\r\n--\(boundary)".utf8)),
        let quote = rest[label.upperBound..<head.lowerBound].firstIndex(of: UInt8(ascii: "\""))
      else { break }
      texts.append(
        (
          String(decoding: rest[label.upperBound..<quote], as: UTF8.self),
          String(decoding: rest[head.upperBound..<end.lowerBound], as: UTF8.self)
        ))
    }
    return texts
  }
}
