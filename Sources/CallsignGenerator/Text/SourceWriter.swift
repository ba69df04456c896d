/// Collects lines of Swift, each at its depth.
struct SourceWriter {
  private(set) var text = ""
  private var indentation = ""

  init(capacity: Int = 1 << 14) { text.reserveCapacity(capacity) }

  /// An empty line, except where one would follow an opening brace or another empty line.
  mutating func gap() {
    if !text.isEmpty, !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") { text += "\n" }
  }

  mutating func line(_ line: String) {
    text += indentation
    text += line
    text += "\n"
  }

  /// `head {`, what `body` writes one level deeper, and `}`.
  mutating func block(_ head: String, _ body: (inout Self) -> Void) {
    line(head + " {")
    indented(body)
    line("}")
  }

  mutating func indented(_ body: (inout Self) -> Void) {
    let outer = indentation
    indentation += "  "
    body(&self)
    indentation = outer
  }

  /// `head(a, b, c)tail` on one line where it fits, else with the list's elements on lines of their own, as many on each
  /// as fit.
  mutating func list(
    _ head: String, _ elements: [String], _ tail: String, open: String = "(", close: String = ")"
  ) {
    let lengths = elements.map(\.utf8.count)
    let whole = head.utf8.count + lengths.reduce(0) { $0 + $1 + 2 } + tail.utf8.count
    if elements.isEmpty || indentation.utf8.count + whole <= Self.width {
      return line(head + open + elements.joined(separator: ", ") + close + tail)
    }
    line(head + open)
    indented { writer in
      var current = ""
      for (index, element) in elements.enumerated() {
        if !current.isEmpty, writer.indentation.utf8.count + current.utf8.count + lengths[index] + 2 > Self.width {
          writer.line(current)
          current = ""
        }
        if !current.isEmpty { current += " " }
        current += element
        if index < elements.count - 1 { current += "," }
      }
      writer.line(current)
    }
    line(close + tail)
  }

  private static let width = 120
}

extension SourceWriter {
  /// A documentation comment of paragraphs that are safe already.
  mutating func documentation(_ paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { line("///") }
      line("/// " + paragraph)
    }
  }

  /// A documentation comment's list of parameters, as DocC reads it.
  mutating func documentation(parameters: [(name: String, text: String)]) {
    guard !parameters.isEmpty else { return }
    line("/// - Parameters:")
    for parameter in parameters { line("///   - \(parameter.name): \(parameter.text)") }
  }
}
