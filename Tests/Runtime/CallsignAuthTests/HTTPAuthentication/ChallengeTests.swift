import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Challenges in WWW-Authenticate") struct ChallengeTests {
  private func read(_ values: String...) -> [HTTPChallenge] {
    var fields = HTTPFields()
    for value in values { fields.append(HTTPField(name: .wwwAuthenticate, value: value)) }
    return HTTPChallenge.all(in: fields)
  }

  @Test("One challenge with parameters is read") func oneWithParameters() {
    #expect(
      read(#"Basic realm="simple", charset="UTF-8""#)
        == [HTTPChallenge(scheme: "basic", parameters: ["realm": "simple", "charset": "UTF-8"])])
    #expect(read("Bearer") == [HTTPChallenge(scheme: "bearer")])
    #expect(read("").isEmpty)
  }

  @Test("The example of RFC 9110 §11.6.1: two in one field")
  func severalInOneField() {
    #expect(
      read(#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#) == [
        HTTPChallenge(scheme: "basic", parameters: ["realm": "simple"]),
        HTTPChallenge(scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
      ])
  }

  @Test("Challenges in several fields are read") func severalFields() {
    #expect(
      read("Negotiate", #"NTLM, Digest realm="a, Basic b=\"c\"", nonce=n"#) == [
        HTTPChallenge(scheme: "negotiate"), HTTPChallenge(scheme: "ntlm"),
        HTTPChallenge(scheme: "digest", parameters: ["realm": #"a, Basic b="c""#, "nonce": "n"]),
      ])
  }

  @Test("A challenge with a token68 is read") func token68() {
    #expect(
      read("Negotiate YII+/a-._~==, Basic realm=x") == [
        HTTPChallenge(scheme: "negotiate", token68: "YII+/a-._~=="),
        HTTPChallenge(scheme: "basic", parameters: ["realm": "x"]),
      ])
  }

  @Test("Challenges with odd spacing are read") func oddSpacing() {
    let expected = [
      HTTPChallenge(scheme: "digest", parameters: ["realm": "a", "nonce": "b", "qop": ""]),
      HTTPChallenge(scheme: "basic", parameters: ["realm": ""]),
    ]
    #expect(read(",, ,Digest \t realm = \"a\" ,,nonce\t=b,qop=\"\" , , Basic realm=\"\" ,") == expected)
    #expect(read("Digest realm=a nonce=b qop=\"\" Basic realm=\"\"") == expected)
    #expect(read("DIGEST REALM=a,Nonce=b,QOP=\"\",basic Realm=\"\"") == expected)
  }

  @Test("Challenges that cannot be read") func whatCannotBeRead() {
    #expect(read(#"Basic realm="never ends, Digest nonce=x"#) == [HTTPChallenge(scheme: "basic")])
    #expect(read(#"Basic realm="ends with \"#) == [HTTPChallenge(scheme: "basic")])
    #expect(read(#"Digest a=b, realm=, charset=c"#).first?.parameters == ["a": "b", "charset": "c"])
    #expect(read("Basic realm=")[0].token68 == "realm=")
    #expect(read("=;=").isEmpty)
    #expect(read("Basic realm=a, realm=b")[0]["realm"] == "a")
  }

  @Test("Challenges with any spacing can be read", arguments: 0..<20)
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func pick(_ characters: String, _ count: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: count, using: &random)).compactMap { _ in characters.randomElement(using: &random) })
    }
    for _ in 0..<50 {
      var challenges: [HTTPChallenge] = []
      var text = ""
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let space = { pick(" \t", 0...2) }
        let scheme = "s" + pick("abc-_!", 0...4)
        if !text.isEmpty { text += "\(space()),\(space())" }
        if Bool.random(using: &random) {
          let value = "t" + pick("AZ09-._~+/", 0...9)
          text += "\(scheme) \(value)="
          challenges.append(HTTPChallenge(scheme: scheme, token68: value + "="))
          continue
        }
        var parameters: [String: String] = [:]
        text += scheme + " "
        for number in 0..<Int.random(in: 1...4, using: &random) {
          let value = pick("ab,=\\\" \té漢", 0...6)
          let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          if number > 0 { text += "," + space() }
          text += "p\(number)\(space())=\(space())\"\(escaped)\"\(space())"
          parameters["p\(number)"] = value
        }
        challenges.append(HTTPChallenge(scheme: scheme, parameters: parameters))
      }
      #expect(read(text) == challenges, "\(text)")
    }
  }

  @Test("Any bytes are read to their end", arguments: 0..<20)
  func fuzz(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("Digest realm=\"a\\\", nonce=;=\t/+é\u{7F}\u{1}Basic")
    for _ in 0..<200 {
      let text = String(
        (0..<Int.random(in: 0...80, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
      for challenge in read(text) {
        #expect(!challenge.scheme.isEmpty)
        #expect(challenge.token68 == nil || challenge.parameters.isEmpty)
      }
    }
  }
}
