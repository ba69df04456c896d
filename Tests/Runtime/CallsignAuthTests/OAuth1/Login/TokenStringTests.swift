import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import TestSupport
import Testing
import XCore

@Suite struct TokenStringTests {
  @Test("A token is written as text and read again") func writtenAndRead() throws {
    let token = OAuth1Token(
      token: "7588892-a+b/c=&%", secret: "s é", userID: "7588892", screenName: "alice", fields: ["x": "y z"])
    #expect(
      token.tokenString.reveal()
        == "oauth_token=7588892-a%2Bb%2Fc%3D%26%25&oauth_token_secret=s%20%C3%A9&user_id=7588892&screen_name=alice&x=y%20z"
    )
    #expect(try OAuth1Token(tokenString: token.tokenString) == token)
  }

  @Test(
    "Forms in which older apps cached tokens",
    arguments: [
      "oauth_token=1-a&oauth_token_secret=b&user_id=1&screen_name=al+ice",
      "screen_name=al%20ice&user_id=1&oauth_token_secret=b&oauth_token=1-a",
      " \n?oauth_token=1-a&oauth_token_secret=b&user_id=1&screen_name=al%20ice\n",
      "&oauth_token=1-a&&oauth_token=1-a&oauth_token_secret=b&user_id=1&screen_name=al+ice&",
      "oauth_token=1-a&oauth_token_secret=b&user_nsid=1&username=al+ice",
    ])
  func olderForms(text: String) throws {
    let token = try OAuth1Token(tokenString: Secret(text))
    #expect(token == OAuth1Token(token: "1-a", secret: "b", userID: "1", screenName: "al ice"))
  }

  @Test("Fields that may be missing") func whatMayBeMissing() throws {
    let token = try OAuth1Token(tokenString: "oauth_token=t&oauth_token_secret=s&oauth_session_handle=h")
    #expect(token == OAuth1Token(token: "t", secret: "s", fields: ["oauth_session_handle": "h"]))
  }

  @Test("Damaged texts are refused") func damagedOnes() {
    let damaged: [String: OAuth1TokenStringError] = [
      "": .missing("oauth_token"), "abc": .missing("oauth_token"),
      "oauth_token=&oauth_token_secret=s": .missing("oauth_token"),
      "oauth_token=t": .missing("oauth_token_secret"),
      "oauth_token=t&oauth_token=u&oauth_token_secret=s": .contradictory("oauth_token"),
      "oauth_token=t%2&oauth_token_secret=s": .unreadable, "oauth_token=%FF&oauth_token_secret=s": .unreadable,
      "{\"oauth_token\": \"t\"}": .unreadable, "oauth_token=t&oauth_token_secret=%": .unreadable,
      "<html>oauth_token=t&oauth_token_secret=s": .missing("oauth_token"),
    ]
    for (text, expected) in damaged {
      #expect(throws: expected, "\(text)") { try OAuth1Token(tokenString: Secret(text)) }
      #expect("\(expected)".contains("log in again"))
    }
  }

  @Test(
    "An unused field may have any value, and the secret may be empty (RFC 5849 §3.4.4)",
    arguments: ["x=%E9", "x=\u{E9}", "x=%", "x=a b", "%E9=1", "screen_name=%"])
  func unreadableField(_ other: String) throws {
    for text in ["\(other)&oauth_token=t&oauth_token_secret=", "oauth_token=t&oauth_token_secret=&\(other)"] {
      let token = try OAuth1Token(tokenString: Secret(text))
      #expect(token == OAuth1Token(token: "t", secret: ""))
      #expect(try OAuth1Token(tokenString: token.tokenString) == token)
    }
  }

  @Test("Any contents survive") func whateverItHoldsSurvives() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      let token = OAuth1Token(
        token: Secret("t" + generator.text()), secret: Secret("s" + generator.text()), userID: "u" + generator.text(),
        screenName: "n" + generator.text(), fields: ["f" + generator.text(): generator.text()])
      #expect(try OAuth1Token(tokenString: token.tokenString) == token)
      // Whatever is put before it, reading it ends with a token or a typed error.
      _ = try? OAuth1Token(tokenString: Secret(generator.text() + token.tokenString.reveal()))
    }
  }
}
