import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Dispatch

/// The content of a file of ``FileTokenStore``: a token and its key, because a long key's file is named by a hash.
struct TokenEntry {
  let key: TokenKey
  let json: JSONValue

  init(key: TokenKey, json: JSONValue) {
    self.key = key
    self.json = json
  }

  init(_ bytes: Data) throws(TokenStoreError) {
    let value: JSONValue
    do { value = try JSONValue(jsonData: bytes) } catch { throw .damaged("is not JSON: \(error)") }
    guard let service = value["service"]?.string, let account = value["account"]?.string, let token = value["token"]
    else { throw .damaged("has no `service`, `account` or `token`") }
    var key = TokenKey(service: service, account: account)
    if let scheme = value["scheme"]?.string {
      guard let kind = StoredToken.Kind(rawValue: scheme) else { throw .newerVersion }
      key.scheme = kind
      key.clientID = value["client_id"]?.string
    }
    self.key = key
    json = token
  }

  func encoded() throws(TokenStoreError) -> Data {
    var members: [String: JSONValue] = [
      "service": .string(key.service), "account": .string(key.account), "token": json,
    ]
    members["scheme"] = key.scheme.map { .string($0.rawValue) }
    members["client_id"] = key.clientID.map { .string($0) }
    do { return try JSONValue.object(members).jsonData() } catch { throw .damaged("cannot be written: \(error)") }
  }

  /// A hash of a file's bytes.
  static func version(of bytes: Data) throws(TokenStoreError) -> TokenVersion {
    do { return TokenVersion(rawValue: try Digest.hash(bytes, .sha256).hexadecimal) } catch {
      throw TokenStoreError(.system, advice: "the token's version cannot be made: \(error)")
    }
  }

  func token(for key: TokenKey) throws(TokenStoreError) -> StoredToken {
    guard key == self.key else { throw .damaged("belongs to another service or account") }
    return try StoredToken(json: json)
  }
}
