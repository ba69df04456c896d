import CallsignJSON
import Foundation

/// What a file of ``FileTokenStore`` holds: a token and what it is kept under, since a long key's file is named by a
/// hash.
struct TokenEntry {
  let key: TokenKey
  let json: JSONValue

  init(key: TokenKey, json: JSONValue) {
    self.key = key
    self.json = json
  }

  init(_ bytes: Data) throws(TokenStoreError) {
    let value: JSONValue
    do { value = try JSONValue(jsonData: bytes) } catch { throw .damaged("is no JSON: \(error)") }
    guard let service = value["service"]?.string, let account = value["account"]?.string, let token = value["token"]
    else { throw .damaged("has no `service`, `account` or `token`") }
    key = TokenKey(service: service, account: account)
    json = token
  }

  func encoded() throws(TokenStoreError) -> Data {
    let value: JSONValue = ["service": .string(key.service), "account": .string(key.account), "token": json]
    do { return try value.jsonData() } catch { throw .damaged("cannot be written: \(error)") }
  }

  func token(for key: TokenKey) throws(TokenStoreError) -> StoredToken {
    guard key == self.key else { throw .damaged("belongs to another service or account") }
    return try StoredToken(json: json)
  }
}

extension TokenFolder {
  /// The entry of that name; `nil` when there is none.
  func entry(_ base: String) throws(TokenStoreError) -> TokenEntry? {
    guard let file = try openFile(base + TokenFileName.suffix, O_RDONLY) else { return nil }
    try file.refuseUnlessPrivate(kind: S_IFREG, mode: "600")
    return try TokenEntry(file.read(limit: 1 << 20))
  }
}
