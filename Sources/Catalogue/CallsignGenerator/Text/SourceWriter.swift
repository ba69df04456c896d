/// Collects lines of Swift, each at its depth.
struct SourceWriter {
  private(set) var text = ""
  private var indentation: String

  init(capacity: Int = 1 << 14, indentation: String = "") {
    self.indentation = indentation
    text.reserveCapacity(capacity)
  }

  /// An empty line, except where one would follow an opening brace or another empty line.
  mutating func gap() {
    if !text.isEmpty, !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") { text += "\n" }
  }

  /// Lines that have their depth already.
  mutating func write(_ lines: String) { text += lines }

  mutating func line(_ line: String) {
    text += indentation
    text += line
    text += "\n"
  }

  /// Writes a line of several parts. Where apps are built this is a debug build, where joining them first is dear.
  mutating func line(
    _ first: String, _ second: String, _ third: String = "", _ fourth: String = "", _ fifth: String = ""
  ) {
    text += indentation
    text += first
    text += second
    text += third
    text += fourth
    text += fifth
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
    indentation += Self.indentation
    body(&self)
    indentation = outer
  }

  /// `head(a, b, c)tail` on one line where it fits, else with the list's elements on lines of their own, as many on each
  /// as fit.
  mutating func list(
    _ head: String, _ elements: [String], _ tail: String, open: String = "(", close: String = ")"
  ) {
    var whole = indentation.utf8.count + head.utf8.count + tail.utf8.count
    for element in elements { whole += element.utf8.count + 2 }
    if elements.isEmpty || whole <= Self.width {
      return line(head, open, elements.joined(separator: ", "), close, tail)
    }
    line(head, open)
    let outer = indentation
    indentation += Self.indentation
    var length = 0
    var left = elements.count
    for element in elements {
      if length > 0, length + element.utf8.count + 2 > Self.width {
        text += "\n"
        length = 0
      }
      if length == 0 {
        text += indentation
        length = indentation.utf8.count
      } else {
        text += " "
        length += 1
      }
      text += element
      length += element.utf8.count
      left -= 1
      if left > 0 {
        text += ","
        length += 1
      }
    }
    text += "\n"
    indentation = outer
    line(close, tail)
  }

  /// One level of depth.
  static let indentation = "  "

  private static let width = 120
}

extension SourceWriter {
  /// A documentation comment of paragraphs that are safe already.
  mutating func documentation(_ paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { line("///") }
      line("/// ", paragraph)
    }
  }

  /// A documentation comment's list of parameters, as DocC reads it.
  mutating func documentation(parameters: [(name: String, text: String)]) {
    guard !parameters.isEmpty else { return }
    line("/// - Parameters:")
    for parameter in parameters { line("///   - ", parameter.name, ": ", parameter.text) }
  }
}
