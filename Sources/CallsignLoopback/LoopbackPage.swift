/// What the person sees in the browser after a login.
public struct LoopbackPage: Sendable, Hashable {
  /// The heading.
  public var title: String
  /// The sentence below it.
  public var text: String

  /// Words a page.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - text: What to do now.
  public init(title: String = "Done", text: String = "Close this page and go back to the program that opened it.") {
    self.title = title
    self.text = text
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>\(Self.escaped(title))</title>
    <style>body { font: 1.1rem system-ui, sans-serif; margin: 20vh auto; max-width: 30rem; text-align: center }</style>
    </head>
    <body><h1>\(Self.escaped(title))</h1><p>\(Self.escaped(text))</p></body>
    </html>
    """
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}
