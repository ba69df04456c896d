import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing

@Suite struct EncodingTests {
  @Test("Everything is read back unchanged") func everythingComesBack() throws {
    let token = sampleToken()
    #expect(try StoredToken(encoded: token.encoded()) == token)
    let small = StoredToken(kind: .bearer, accessToken: "s3cr3t")
    var further = small
    further.fields = ["oauth_session_handle": "h s", "": "é"]
    #expect(try StoredToken(encoded: further.encoded()) == further)
    #expect(try StoredToken(encoded: small.encoded()) == small)
  }

  @Test("Dates are read back to the last bit") func datesComeBackToTheLastBit() throws {
    var token = StoredToken(kind: .oauth2, accessToken: "s3cr3t")
    var seconds = 817_000_000.0
    for step in 0..<2000 {
      seconds = (seconds + Double(step) * 12_345.6).nextUp
      token.expires = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(try StoredToken(encoded: token.encoded()).expires == token.expires)
    }
  }

  @Test("The form is stable") func theFormIsStable() throws {
    let text = """
      {"access_token":"access-s3cr3t","client_id":"c","expires":"2026-11-21T10:00:00Z","kind":"oauth2",\
      "refresh_token":"refresh-s3cr3t","scopes":["a","b"],"user_id":"1","username":"ann","version":1}
      """
    let token = StoredToken(
      kind: .oauth2, accessToken: "access-s3cr3t", refreshToken: "refresh-s3cr3t",
      expires: Date(timeIntervalSince1970: 1_795_255_200), scopes: ["b", "a"], clientID: "c", userID: "1",
      username: "ann")
    #expect(String(decoding: try token.encoded(), as: UTF8.self) == text)
    #expect(try StoredToken(encoded: Data(text.utf8)) == token)
  }

  @Test("Members of newer minor forms are kept") func membersOfNewerMinorFormsAreKept() throws {
    let text = #"{"access_token":"s3cr3t","added_later":{"a":[1,null]},"kind":"bearer","version":1}"#
    var token = try StoredToken(encoded: Data(text.utf8))
    #expect(String(decoding: try token.encoded(), as: UTF8.self) == text)
    token.accessToken = "other-s3cr3t"
    #expect(String(decoding: try token.encoded(), as: UTF8.self).contains(#""added_later":{"a":[1,null]}"#))
  }

  @Test(
    "Newer versions say what to do",
    arguments: [
      #"{"version":2,"kind":"oauth2","access_token":"TOKEN"}"#, #"{"version":99}"#,
      #"{"version":1,"kind":"a kind to come","access_token":"TOKEN"}"#,
    ])
  func newerVersionsSayWhatToDo(text: String) {
    let error = #expect(throws: TokenStoreError.self) {
      try StoredToken(encoded: Data(text.replacing("TOKEN", with: "s3cr3t").utf8))
    }
    #expect(error?.reason == .newerVersion)
    #expect(error?.advice.contains("update this program") == true)
  }

  @Test(
    "Damaged ones say what to do",
    arguments: [
      "", "{", "[]", "1", "null", "{}", #"{"version":1}"#, #"{"version":0,"kind":"oauth2","access_token":"TOKEN"}"#,
      #"{"version":"1","kind":"oauth2","access_token":"TOKEN"}"#, #"{"version":1,"kind":"oauth2","access_token":""}"#,
      #"{"version":1,"kind":"oauth2","access_token":5}"#,
      #"{"version":1,"kind":"oauth2","access_token":"TOKEN","expires":"soon"}"#,
      #"{"version":1,"kind":"oauth2","access_token":"TOKEN","scopes":"a b"}"#,
      #"{"version":1,"kind":"oauth2","access_token":"TOKEN","scopes":["a",1]}"#,
      #"{"oauth_token":"TOKEN","oauth_token_secret":"TOKEN"}"#, #"{"access_token":"TOKEN"}"#,
      #"{"version":1,"kind":"oauth2","access_token":"TOKEN","lifetime":"x"}"#,
    ])
  func damagedOnesSayWhatToDo(text: String) {
    let error = #expect(throws: TokenStoreError.self) {
      try StoredToken(encoded: Data(text.replacing("TOKEN", with: "s3cr3t").utf8))
    }
    #expect(error?.reason == .damaged)
    #expect(error?.advice.contains("log in again") == true)
    #expect(error?.advice.contains("s3cr3t") == false)
  }

  @Test("An expiry that is not a date is refused") func anExpiryThatIsNoDateIsRefused() {
    let token = StoredToken(
      kind: .bearer, accessToken: "s3cr3t", expires: Date(timeIntervalSinceReferenceDate: .infinity))
    #expect(throws: TokenStoreError.self) { try token.encoded() }
  }

  /// Whatever bytes a file has, reading it ends with a token that is written and read again the same, or with an error
  /// that gives nothing away.
  @Test("Any bytes are read or refused") func anyBytesAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 20_261_121)
    let seeds = try [
      Array(sampleToken().encoded()), Array(StoredToken(kind: .bearer, accessToken: "s3cr3t").encoded()),
    ]
    var (read, refused) = (0, 0)
    for round in 0..<30_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes = Array(bytes.prefix(place))
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: min(place, bytes.count))
        case 2 where place < bytes.count: bytes.remove(at: place)
        default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &generator) }
        }
      }
      switch Result(catching: { () throws(TokenStoreError) in try StoredToken(encoded: Data(bytes)) }) {
      case .success(let token):
        let again = try StoredToken(encoded: token.encoded())
        #expect(again == token, "round \(round) \(String(decoding: bytes, as: UTF8.self))")
        read += 1
      case .failure(let error):
        #expect(error.reason == .damaged || error.reason == .newerVersion)
        #expect(!error.advice.contains("s3cr3t"))
        refused += 1
      }
    }
    #expect(read > 1000 && refused > 1000)
  }
}
