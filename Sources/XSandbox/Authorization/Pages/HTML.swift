/// HTML text whose inserted values cannot become markup.
enum HTML {
  static func escape(_ text: String) -> String {
    var output = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      default: output.unicodeScalars.append(character)
      }
    }
    return output
  }

  /// - Parameter body: markup.
  static func page(title: String, body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><title>\(escape(title))</title></head>
    <body>
    <h1>\(escape(title))</h1>
    \(body)
    </body>
    </html>

    """
  }

  /// A page with one sentence.
  static func message(title: String, _ text: String) -> String { page(title: title, body: "<p>\(escape(text))</p>") }
}
