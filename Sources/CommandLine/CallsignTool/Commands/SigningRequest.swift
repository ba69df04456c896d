import Callsign
import CallsignAuth
import Foundation

/// A request to sign, as described by one line of JSON.
struct SigningRequest {
  /// Says why a line cannot be signed. It repeats nothing from the line, because the line contains secrets.
  struct Problem: Error {
    let message: String
  }

  private let signer: OAuth1Signer
  private let method: String
  private let url: String
  private let form: [(name: String, value: String)]
  private let extra: [(name: String, value: String)]
  private let nonce: String
  private let timestamp: String

  /// - Parameters:
  ///   - line: One JSON object.
  ///   - environment: The source of secrets that the line leaves out.
  init(line: String, environment: [String: String]) throws(Problem) {
    let members: [String: JSONValue]
    do throws(JSONError) { members = try JSONValue(jsonString: line).object ?? [:] } catch {
      throw Problem(message: "not a JSON object: \(error)")
    }
    if members.isEmpty { throw Problem(message: "not a JSON object with the members of a request") }
    let fields = Fields(members: members)
    if members["url"] == nil, let kind = members["kind"]?.string {
      throw Problem(message: "a line of kind `\(kind)` does not describe a request; give method and url")
    }

    method = try fields.needed("method")
    url = try fields.needed("url")
    form = try fields.pairs("form")
    extra = try fields.pairs("extra_oauth_params")
    nonce = try fields.text("nonce") ?? UUID().uuidString
    timestamp = try fields.text("timestamp") ?? String(Int(Date().timeIntervalSince1970))

    let name = try fields.text("signature_method") ?? "HMAC-SHA1"
    let signatureMethod: OAuth1SignatureMethod
    switch name {
    case "HMAC-SHA1": signatureMethod = .hmacSHA1
    case "HMAC-SHA256": signatureMethod = .hmacSHA256
    case "PLAINTEXT": signatureMethod = .plaintext
    case "RSA-SHA1":
      guard let pem = try fields.text("rsa_private_key_pem") ?? environment["CALLSIGN_RSA_PRIVATE_KEY"] else {
        throw Problem(message: "RSA-SHA1 needs rsa_private_key_pem, or CALLSIGN_RSA_PRIVATE_KEY in the environment")
      }
      do throws(CryptographyError) { signatureMethod = .rsaSHA1(try RSAPrivateKey(pem: Secret(pem))) } catch {
        throw Problem(message: error.description)
      }
    default:
      throw Problem(
        message: "signature_method `\(name)` is not supported; use HMAC-SHA1, HMAC-SHA256, RSA-SHA1 or PLAINTEXT")
    }
    signer = OAuth1Signer(
      consumerKey: try fields.needed("consumer_key"),
      consumerSecret: Secret(try fields.text("consumer_secret") ?? environment["CALLSIGN_CONSUMER_SECRET"] ?? ""),
      token: try fields.text("token"),
      tokenSecret: (try fields.text("token_secret") ?? environment["CALLSIGN_TOKEN_SECRET"]).map { Secret($0) },
      signatureMethod: signatureMethod, realm: try fields.text("realm"),
      version: members["oauth_version"] == nil ? "1.0" : try fields.text("oauth_version"))
  }

  func sign() throws(Problem) -> OAuth1Signature {
    do throws(OAuth1SigningError) {
      return try signer.sign(
        method: method, url: url, form: form, extra: extra, nonce: nonce, timestamp: timestamp)
    } catch { throw Problem(message: error.description) }
  }
}

/// The members of a line. Errors name the member.
private struct Fields {
  let members: [String: JSONValue]

  func needed(_ name: String) throws(SigningRequest.Problem) -> String {
    guard let text = try text(name) else { throw SigningRequest.Problem(message: "`\(name)` is missing") }
    return text
  }

  /// A string, or a number as it would be written; `nil` if it is missing or null.
  func text(_ name: String) throws(SigningRequest.Problem) -> String? {
    switch members[name] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    case .integer(let number)?: return String(number)
    default: throw SigningRequest.Problem(message: "`\(name)` is not a text")
    }
  }

  /// `[["name", "value"], …]`; empty if it is missing or null.
  func pairs(_ name: String) throws(SigningRequest.Problem) -> [(name: String, value: String)] {
    guard let value = members[name], !value.isNull else { return [] }
    let problem = SigningRequest.Problem(message: "`\(name)` is not a list of pairs of texts")
    guard let elements = value.array else { throw problem }
    var pairs: [(name: String, value: String)] = []
    for element in elements {
      guard let pair = element.array, pair.count == 2, let name = pair[0].string, let value = pair[1].string else {
        throw problem
      }
      pairs.append((name, value))
    }
    return pairs
  }
}
