import CallsignJSON
import Testing

@testable import CallsignCommandLine

@Suite("Results as columns") struct ColumnTests {
  @Test("Cells with commas, quotes and line ends are quoted, whatever follows these") func quoting() {
    let rows: [JSONValue] = [["a": "x,\u{FE0F}y", "b": "\"\u{301}", "c": "l\r\nm", "d": "plain"]]
    #expect(
      Columns(rows, []).csv(withNames: true)
        == "a,b,c,d\r\n\"x,\u{FE0F}y\",\"\"\"\u{301}\",\"l\r\nm\",plain\r\n")
  }

  @Test("Objects and lists are columns where there is nothing else, and names with dots are names") func columns() {
    let records: [JSONValue] = [["data": ["id": "1"], "tags": ["x"]]]
    #expect(Columns(records, []).csv(withNames: true) == "data,tags\r\n\"{\"\"id\"\":\"\"1\"\"}\",\"[\"\"x\"\"]\"\r\n")
    #expect(Columns([["a.b/c": 1]], []).csv(withNames: true) == "a.b/c\r\n1\r\n")
    #expect(Columns([["a": ["b": 2]]], ["a.b"]).csv(withNames: false) == "2\r\n")
  }
}
