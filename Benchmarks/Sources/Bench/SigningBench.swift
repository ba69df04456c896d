import Callgrind
import Callsign
import CallsignAuth
import Foundation

/// Signs the request that a client makes most: a timeline, with six query parameters. The peers are a bare HMAC by libcrypto
/// of the same text, its key schedule kept, which no signature can beat, and Python's oauthlib, which signs with the same
/// nonce and timestamp, so that the signatures can be compared. Its answer, a signature and how many it makes a second,
/// comes as an argument.
enum SigningBench {
  static let url =
    "https://api.x.com/2/users/2244994945/timelines/reverse_chronological?max_results=100&exclude=replies%2Cretweets"
    + "&tweet.fields=created_at%2Cpublic_metrics%2Centities&expansions=author_id&user.fields=name%2Cusername"
    + "&pagination_token=7140dibdnow9c7btw3w29n4v5mtag9kegr0gr7y26pnw3"
  static let signer = OAuth1Signer(
    consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
    token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
    tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")

  static func authorization() throws -> String { try signer.authorization(method: "GET", url: url) }

  static func sign() throws -> OAuth1Signature {
    try signer.sign(
      method: "GET", url: url, nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: "1318622958")
  }
}

extension SigningBench {
  /// libcrypto's HMAC with the signer's key.
  static func bareContext() -> UnsafeMutableRawPointer? {
    let key = Array(
      "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw&LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE".utf8)
    return bare_hmac_make(key, Int32(key.count))
  }

  static func run(_ words: [String]) throws {
    let signature = try sign()
    let message = Array(signature.baseString.utf8)
    guard let context = bareContext() else { return print("libcrypto makes no HMAC") }
    defer { bare_hmac_free(context) }
    var code = [UInt8](repeating: 0, count: 20)
    var fastest = [Double.infinity, .infinity, .infinity]
    // Interleaved, so that what else the machine does falls upon both.
    for _ in 0..<15 {
      fastest[0] = try min(fastest[0], processorTime { for _ in 0..<10_000 { _ = try sign() } })
      fastest[2] = try min(fastest[2], processorTime { for _ in 0..<10_000 { _ = try authorization() } })
      fastest[1] = processorTime(atMost: fastest[1]) {
        for _ in 0..<10_000 { _ = bare_hmac_sign(context, message, message.count, &code) }
      }
    }
    guard Data(code).base64EncodedString() == signature.signature else {
      print("libcrypto signs otherwise")
      exit(1)
    }
    func line(_ name: String, _ rate: Double, _ note: String) {
      print(
        name.padding(toLength: 34, withPad: " ", startingAt: 0),
        String(format: "%8.0f signatures/s of one core", rate), note)
    }
    let ours = 10_000 / fastest[0]
    line("OAuth1Signer, HMAC-SHA1", ours, "")
    line("header with nonce and time", 10_000 / fastest[2], "")
    line("libcrypto, bare HMAC of the text", 10_000 / fastest[1], String(format: "%6.2fx", ours * fastest[1] / 10_000))

    let peer = words.first?.split(separator: " ").map(String.init) ?? []
    guard peer.count == 3, let theirs = Double(peer[2]) else {
      return print("no other peer to compare with: python3 has no oauthlib")
    }
    guard peer[1] == signature.signature else {
      print("the two signers disagree: \(signature.signature) here, \(peer[1]) there")
      exit(1)
    }
    line("oauthlib \(peer[0]), the same", theirs, String(format: "%6.1fx", ours / theirs))
  }

  /// The processor time that this process has had meanwhile, in seconds: other work on the machine does not count.
  private static func processorTime(_ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }

  private static func processorTime(atMost bound: Double, _ body: () -> Void) -> Double {
    min(bound, processorTime(body))
  }
}
