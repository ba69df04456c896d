/// Says in a user's words what libyaml says in its own.
enum YAMLSyntaxMessage {
  static func text(problem: String, context: String?, contextLine: Int?) -> String {
    if let advice = advice(problem, context ?? "") {
      let isCollection = context?.contains("flow") == true
      let begun = isCollection ? contextLine.map { " (begun in line \($0))" } ?? "" : ""
      return "invalid YAML: \(advice)\(begun)"
    }
    var message = "invalid YAML: \(problem)"
    if let context, !context.isEmpty {
      message += " (\(context)"
      if let contextLine { message += ", begun in line \(contextLine)" }
      message += ")"
    }
    return message
  }

  private static func advice(_ problem: String, _ context: String) -> String? {
    if problem.hasPrefix("Maximum nesting level") { return "this nests too deep; a catalogue needs a dozen levels" }
    if problem.contains("found another document") {
      return "a second document begins here; a catalogue file holds one, so remove the `---`"
    }
    if problem.contains("mapping keys are not allowed") {
      return "a `?` cannot be here; put a type such as `[T]?` or `{T}?` in quotes"
    }
    if problem.contains("mapping values are not allowed") {
      return "a `:` cannot be here; put a text that contains `: ` in quotes, or check the indentation"
    }
    if problem.contains("found character that cannot start any token") {
      return context.isEmpty || context.contains("token")
        ? "this character cannot begin a value; indent with spaces, and put a text that begins so in quotes" : nil
    }
    if problem.contains("found unexpected end of stream") {
      return context.contains("quoted") ? "the quote that was opened is never closed" : "the file ends in the middle"
    }
    if problem.contains("did not find expected ',' or ']'") {
      return "a list in brackets goes on with `,` or ends with `]`; after a type such as `[T]?` put all of it in quotes"
    }
    if problem.contains("did not find expected ',' or '}'") {
      return "a mapping in braces goes on with `,` or ends with `}`; put a text with `,`, `{` or `[` in quotes"
    }
    if problem.contains("did not find expected key") {
      return "a key was expected; check the indentation, and put a type such as `[T]?` or `{T}?` in quotes"
    }
    if problem.contains("could not find expected ':'") { return "a `:` is missing after the key" }
    if problem.contains("found undefined alias") {
      return "a value cannot begin with `*`; put it in quotes"
    }
    return nil
  }
}
