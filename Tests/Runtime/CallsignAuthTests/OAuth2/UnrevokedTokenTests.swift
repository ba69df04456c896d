import CallsignHTTP
import Testing

@testable import CallsignAuth

@Suite("Tokens that could not be revoked") struct UnrevokedTokenTests {
  @Test("The last ones are remembered, each for its own account") func bound() {
    func owner(_ account: String) -> UnrevokedTokens.Owner {
      UnrevokedTokens.Owner(
        place: "memory", key: TokenKey(service: "api.test", scheme: .oauth2, clientID: "public", account: account),
        revokeURL: "https://api.test/revoke")
    }
    var tokens = UnrevokedTokens()
    let capacity = UnrevokedTokens.capacity
    for number in 0..<(capacity + 10) {
      tokens.add(StoredToken(kind: .oauth2, accessToken: Secret("a\(number)")), of: owner("\(number % 2)"))
    }
    #expect(tokens.count == capacity)
    let (even, again, nobody) = (
      tokens.take(of: owner("0")), tokens.take(of: owner("0")), tokens.take(of: owner("2"))
    )
    #expect(even.count == capacity / 2 && even.first?.accessToken == "a10")
    #expect(again.isEmpty && nobody.isEmpty)
    #expect(tokens.count == capacity / 2)
  }
}
