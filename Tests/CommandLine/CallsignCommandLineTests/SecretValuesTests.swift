import Callsign
import CallsignJSON
import Foundation
import Testing

@testable import CallsignCommandLine

@Suite("Secrets in bodies are hidden") struct SecretValuesTests {
  private func shown(_ body: String, _ type: String) -> String? {
    var values = SecretValues(Redaction())
    return values.cleaned(Data(body.utf8), contentType: type).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "in each record of a stream",
    arguments: [
      ("{\"private_key\":\"SEKRET\"}\n{\"name\":\"rex\"}\n", "application/x-ndjson"),
      ("[{\"private_key\":\"SEKRET\"},\n{\"name\":\"rex\"}", "application/json"),
      ("\u{1E}{\"private_key\":\"SEKRET\"}\n\u{1E}{\"name\":\"rex\"}\n", "application/json-seq"),
      ("data: {\"private_key\":\"SEKRET\"}\r\n\r\ndata: {\"name\":\"rex\"}\r\n", "text/event-stream; charset=utf-8"),
      ("data: {\ndata: \"private_key\": \"SEKRET\"\ndata: }\n\ndata: {\"name\":\"rex\"}\n", "text/event-stream"),
      ("{\"private_key\":\"SEKRET\"}\n{\"name\":\"rex\"}\n", "text/plain"),
    ])
  func records(body: String, type: String) throws {
    let text = try #require(shown(body, type))
    #expect(!text.contains("SEKRET") && text.contains("rex"), "\(text)")
  }

  @Test("and the other lines of events are shown") func events() throws {
    let text = try #require(shown("event: key\nid: 7\ndata: {\"a\":1}\n\ndata: [DONE]\n", "text/event-stream"))
    #expect(text == "event: key\nid: 7\ndata: {\"a\":1}\ndata: [DONE]")
  }

  @Test("in forms, by their decoded names and in values of JSON") func forms() {
    let form = "card%5Bpwd%5D=SEKRET&private%5Fkey=SEKRET&card=%7B%22pwd%22%3A%22SEKRET%22%7D&name=rex&flag"
    #expect(
      shown(form, "application/x-www-form-urlencoded")
        == "card%5Bpwd%5D=HIDDEN&private%5Fkey=HIDDEN&card=HIDDEN&name=rex&flag")
  }

  @Test("and of a body whose parts are not known, only the size is shown") func others() {
    #expect(shown("--b\r\n\r\nSEKRET\r\n--b--", "multipart/form-data; boundary=b") == nil)
    #expect(shown("<private_key>SEKRET</private_key>", "application/xml") == nil)
    #expect(shown("a \"b\"", "text/plain") == "a \"b\"")
    let key = "-----BEGIN PRIVATE KEY-----\nSEKRET\n-----END PRIVATE KEY-----\n"
    #expect(shown(key, "text/plain") == "HIDDEN")
  }

  @Test("and each of their names is given once, in order") func names() {
    var values = SecretValues(Redaction())
    let rows: [JSONValue] = (0..<20).map { _ in ["password": "a", "pwd": "b"] }
    _ = values.cleaned(.array(rows))
    #expect(values.paths == ["[].password", "[].pwd"])
  }
}
