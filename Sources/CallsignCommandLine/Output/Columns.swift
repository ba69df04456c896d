import CallsignHTTP
import CallsignJSON

/// Elements as rows with columns.
struct Columns {
  let names: [String]
  private let rows: [[String]]

  /// - Parameter fields: The columns as dotted paths; empty: the members that are texts, numbers or flags, those first
  ///   by which people know things.
  init(_ elements: [JSONValue], _ fields: [String]) {
    var names = fields
    if names.isEmpty {
      var found: Set<String> = []
      var others: Set<String> = []
      for element in elements {
        for (name, value) in element.object ?? [:] {
          if value.array == nil, value.object == nil { found.insert(name) } else { others.insert(name) }
        }
      }
      // Objects and lists are shown where there is nothing else, as in most streams' records.
      if found.isEmpty { found = others }
      let first = ["id", "id_str", "username", "screen_name", "name", "title", "text", "status"]
      names = first.filter { found.contains($0) } + found.subtracting(first).sorted()
    }
    // What has no members is its own column.
    if names.isEmpty { names = ["value"] }
    self.names = names
    rows = elements.map { element in
      names.map { name in
        let member: JSONValue? = element.object == nil ? element : (element[name] ?? element.at(name))
        guard let value = member, !value.isNull else { return "" }
        return value.string ?? value.description
      }
    }
  }

  func csv(withNames: Bool) -> String {
    func quoted(_ text: String) -> String {
      // By code points: a comma with a combining mark is one character, and a comma all the same.
      let special: Set<Unicode.Scalar> = [",", "\"", "\n", "\r"]
      guard text.unicodeScalars.contains(where: { special.contains($0) }) else { return text }
      var result = ""
      for scalar in text.unicodeScalars {
        if scalar == "\"" { result.unicodeScalars.append(scalar) }
        result.unicodeScalars.append(scalar)
      }
      return "\"" + result + "\""
    }
    // RFC 4180 §2: lines end with CR LF.
    return ((withNames ? [names] : []) + rows).map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Columns as wide as their widest value, of which no more than 60 characters are shown.
  func table(withNames: Bool, hasColors: Bool) -> String {
    let shown = rows.map { $0.map(Self.line) }
    let header = names.map { Self.line($0.uppercased()) }
    let widths = names.indices.map { column in
      min(60, ([Self.width(header[column])] + shown.map { Self.width($0[column]) }).max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in
        let width = width - Self.width(cell)
        return cell + String(repeating: " ", count: max(0, width))
      }
      var text = padded.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }
    var text = ""
    if withNames {
      let names = line(header)
      text += hasColors ? "\u{1B}[1m" + names.dropLast() + "\u{1B}[0m\n" : names
    }
    return text + shown.map(line).joined()
  }

  /// A value in one line. Control characters, with which a post's text could move the cursor, are left out.
  private static func line(_ text: String) -> String {
    let plain = String(text.map { $0.isNewline ? " " : $0 }).printable
    return plain.count > 60 ? plain.prefix(59) + "…" : plain
  }

  /// Columns on a terminal: two for what East Asian writing and most emoji take.
  private static func width(_ text: String) -> Int {
    text.reduce(0) { width, character in
      guard let scalar = character.unicodeScalars.first else { return width }
      let isWide =
        (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xA4CF).contains(scalar.value)
        || (0xAC00...0xD7A3).contains(scalar.value) || (0xF900...0xFAFF).contains(scalar.value)
        || (0xFE30...0xFE6F).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
        || (0x1F300...0x1FAFF).contains(scalar.value)
      return width + (isWide ? 2 : 1)
    }
  }
}
