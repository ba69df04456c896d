import CallsignAuth
import TestSupport

/// Lets so many in at a time; the others wait in the order of their coming.
actor Places {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

extension SeededGenerator {
  /// A text of characters that make trouble in forms and URLs.
  mutating func text() -> String {
    let characters = Array("aZ09%+& =/?#;:@!$'()*,[]{}<>\"\\^`|~-._é漢😀\u{0}\r\n")
    return String((0..<Int.random(in: 0...12, using: &self)).compactMap { _ in characters.randomElement(using: &self) })
  }
}

extension OAuth1Provider {
  /// Flickr, as its documentation describes it (flickr.com/services/api/auth.oauth.html).
  static let flickr = OAuth1Provider(
    requestTokenURL: "https://www.flickr.com/services/oauth/request_token",
    authorizeURL: "https://www.flickr.com/services/oauth/authorize",
    accessTokenURL: "https://www.flickr.com/services/oauth/access_token", hosts: ["*.flickr.com"])
}
