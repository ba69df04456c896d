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

  @Test("A table fits its terminal: ids stay whole, long texts are cut, and the last members are left out")
  func terminal() {
    let text = String(repeating: "swift birds ", count: 9)
    let rows: [JSONValue] = [
      ["id": "2006515713442840576", "text": .string(text), "lang": "en", "source": "Sandbox App", "zone": "Berlin"]
    ]
    for width in [40, 80, 100, 200] {
      var layout: ColumnLayout?
      let lines = Columns(rows, []).table(&layout, hasColors: false, width: width).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width }, "\(width)")
      #expect(lines[1].hasPrefix("2006515713442840576"))
      #expect(layout?.hidden.isEmpty == (width >= 80))
    }
    var layout: ColumnLayout?
    // Who chose the columns gets all of them.
    let chosen = Columns(rows, ["id", "text", "lang", "source", "zone"])
    let lines = chosen.table(&layout, hasColors: false, width: 50).split(separator: "\n")
    #expect(layout?.hidden == [] && lines.allSatisfy { $0.count <= 50 })
    // A file gets texts of up to 60 characters.
    var wide: ColumnLayout?
    #expect(
      chosen.table(&wide, hasColors: false, width: nil).contains("swift birds swift birds swift birds swift birds"))
  }

  @Test("The columns of later pages align with those of the first, even with wide characters")
  func laterPages() {
    var layout: ColumnLayout?
    let first = Columns([["id": "1", "name": "鳥鳥鳥"], ["id": "2", "name": "bird"]], ["id", "name", "lang"])
    #expect(first.table(&layout, hasColors: false, width: 30).hasPrefix("ID  NAME    LANG\n1   鳥鳥鳥"))
    let second = Columns([["id": "3", "name": "b", "lang": "en"]], [], like: layout)
    #expect(second.table(&layout, hasColors: false, width: 30) == "3   b       en\n")
    let third = Columns(
      [["id": "4", "name": .string(String(repeating: "鳥", count: 30)), "lang": "en"]], [], like: layout)
    let line = third.table(&layout, hasColors: false, width: 30)
    #expect(line.contains("…") && line.hasSuffix("en\n"))
  }

  @Test("Of a path that is too long for its column the end is shown")
  func headings() {
    var layout: ColumnLayout?
    let rows: [JSONValue] = [["public_metrics": ["followers_count": 3, "following_count": 4]]]
    let fields = ["public_metrics.followers_count", "public_metrics.following_count"]
    let table = Columns(rows, fields).table(&layout, hasColors: false, width: 40)
    #expect(table.contains("FOLLOWERS_COUNT") && table.contains("FOLLOWING_COUNT"), "\(table)")
  }

  @Test("Objects and lists are columns if there is nothing else, and names with dots are names") func columns() {
    let records: [JSONValue] = [["data": ["id": "1"], "tags": ["x"]]]
    #expect(Columns(records, []).csv(withNames: true) == "data,tags\r\n\"{\"\"id\"\":\"\"1\"\"}\",\"[\"\"x\"\"]\"\r\n")
    #expect(Columns([["a.b/c": 1]], []).csv(withNames: true) == "a.b/c\r\n1\r\n")
    #expect(Columns([["a": ["b": 2]]], ["a.b"]).csv(withNames: false) == "2\r\n")
  }

  @Test("Values without members have a separate column, whatever members were chosen") func texts() {
    #expect(Columns(["a", "b"], ["id"]).csv(withNames: true) == "value\r\na\r\nb\r\n")
    #expect(Columns([["id": 1], "b"], ["id", "name"]).csv(withNames: true) == "id,name\r\n1,\r\nb,\r\n")
    let later = Columns(["b"], ["id", "name"], like: ColumnLayout(names: ["id", "name"]))
    #expect(later.csv(withNames: false) == "b,\r\n")
  }
}
