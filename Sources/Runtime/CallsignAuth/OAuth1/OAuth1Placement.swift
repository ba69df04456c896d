import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The part of a request that carries the protocol parameters of OAuth 1.0 (RFC 5849 §3.5).
public enum OAuth1Placement: Sendable, Hashable {
  /// In the `Authorization` field (RFC 5849 §3.5.1), which is preferred: URLs and bodies end up in logs.
  case header
  /// In the URL's query (RFC 5849 §3.5.3).
  case query
  /// In the form body (RFC 5849 §3.5.2). A request without a body gets one, unless it is a `GET` or `HEAD`; a request
  /// with a body of another type cannot be signed so.
  case body
}

extension OAuth1Placement {
  /// The reason why parameters cannot travel in the body of this request; `nil` when they can.
  static func obstacle(toBodyOf request: TransportRequest) -> String? {
    if case .none = request.body {
      let hasNone = request.method == .get || request.method == .head
      return hasNone ? "a \(request.method.rawValue) request has no body" : nil
    }
    return request.isForm ? nil : "the body is not a form"
  }

  /// Puts signed parameters on a request.
  func apply(_ signed: OAuth1SignedRequest, to request: inout TransportRequest, form: Data) {
    switch self {
    case .header:
      request.headerFields[.authorization] = signed.authorization
    case .query:
      let query = request.url.query ?? ""
      request.url.query = query + (query.isEmpty || query.hasSuffix("&") ? "" : "&") + signed.urlEncoded
    case .body:
      var form = form
      if !form.isEmpty { form.append(UInt8(ascii: "&")) }
      form.append(contentsOf: signed.urlEncoded.utf8)
      request.body = .data(form)
      request.headerFields[.contentType] = TransportRequest.formType
    }
  }
}

extension TransportRequest {
  package static let formType = "application/x-www-form-urlencoded"

  /// Whether the body is announced as a form.
  var isForm: Bool {
    headerFields.firstValue(.contentType)?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() == Self.formType
  }

  /// The body's bytes if it is a form, which is signed; otherwise nothing.
  func formBody(endpoint: String) throws(CallError) -> Data {
    guard isForm else { return Data() }
    switch body {
    case .none: return Data()
    case .data(let data): return data
    case .stream:
      throw .invalidCall(
        InvalidCall(
          endpoint: endpoint, reason: .body("a form body takes part in the signature; give it as data, not as a stream")
        ))
    }
  }
}

/// `oauth_body_hash` of the extension "OAuth Request Body Hash 1.0". The signature then also covers a body that is not
/// a form, which RFC 5849 leaves out.
enum OAuth1BodyHash {
  static let name = "oauth_body_hash"

  /// The hash's parameter. A body that is streamed is read once for it, and once more when it is sent.
  ///
  /// - Returns: `nil` for a form: its fields are signed themselves, and the extension forbids a hash of it.
  /// - Throws: ``CryptographyError``, or the errors of the body's source as ``TransportError``.
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
