/// Collects lines of Swift source, each with its indentation.
struct SourceWriter {
  private(set) var text = ""
  private var indentation: String

  init(capacity: Int = 1 << 14, indentation: String = "") {
    self.indentation = indentation
    text.reserveCapacity(capacity)
  }

  /// Adds an empty line, except after an opening brace or another empty line.
  mutating func gap() {
    if !text.isEmpty, !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") { text += "\n" }
  }

  /// Adds lines that are already indented.
  mutating func write(_ lines: String) { text += lines }

  mutating func line(_ line: String) {
    text += indentation
    text += line
    text += "\n"
  }

  /// Writes a line from several parts. Joining them first is expensive in a debug build, which app builds use.
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

  /// Writes `head {`, what `body` writes one level deeper, and `}`.
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

  /// Writes `head(a, b, c)tail` on one line if it fits. Otherwise the list's elements are on separate lines, as many on each as
  /// fit.
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

  /// One level of indentation.
  static let indentation = "  "

  private static let width = 120
}

extension SourceWriter {
  /// Writes a documentation comment from paragraphs that are already safe.
  mutating func documentation(_ paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { line("///") }
      line("/// ", paragraph)
    }
  }

  /// Writes a documentation comment's list of parameters in DocC's format.
  mutating func documentation(parameters: [(name: String, text: String)]) {
    guard !parameters.isEmpty else { return }
    line("/// - Parameters:")
    for parameter in parameters { line("///   - ", parameter.name, ": ", parameter.text) }
  }
}
