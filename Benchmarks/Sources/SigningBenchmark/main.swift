import Callsign
import CallsignAuth
import Foundation

// Signs the request that a client makes most: a timeline, with six query parameters. The peer signs the same one, with
// the same nonce and timestamp, so that the signatures can be compared. Its answer, a signature and how many it makes
// a second, comes as an argument.

/// The processor time that this process has had, in seconds: other work on the machine does not count.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

let url =
  "https://api.x.com/2/users/2244994945/timelines/reverse_chronological?max_results=100&exclude=replies%2Cretweets"
  + "&tweet.fields=created_at%2Cpublic_metrics%2Centities&expansions=author_id&user.fields=name%2Cusername"
  + "&pagination_token=7140dibdnow9c7btw3w29n4v5mtag9kegr0gr7y26pnw3"
let signer = OAuth1Signer(
  consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
  token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")

func sign() throws -> OAuth1Signature {
  try signer.sign(
    method: "GET", url: url, nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: "1318622958")
}

var fastest = Double.infinity
for _ in 0..<15 {
  let start = processorTime()
  for _ in 0..<10_000 { _ = try sign() }
  fastest = min(fastest, processorTime() - start)
}
let ours = 10_000 / fastest
let width = 34
print(
  "OAuth1Signer, HMAC-SHA1".padding(toLength: width, withPad: " ", startingAt: 0),
  String(format: "%8.0f signatures/s of one core", ours))

let peer = CommandLine.arguments.dropFirst().first?.split(separator: " ").map(String.init) ?? []
guard peer.count == 3, let theirs = Double(peer[2]) else {
  print("no peer to compare with: python3 has no oauthlib")
  exit(0)
}
guard peer[1] == (try sign().signature) else {
  print("the two signers disagree: \(try sign().signature) here, \(peer[1]) there")
  exit(1)
}
print(
  "oauthlib \(peer[0]), the same".padding(toLength: width, withPad: " ", startingAt: 0),
  String(format: "%8.0f signatures/s of one core  %6.1fx", theirs, ours / theirs))
