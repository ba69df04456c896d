import CallsignYAML

/// An argument of a template: a type, or words for its texts.
package enum TemplateArgument {
  case type(TypeReference)
  case words(String)

  package var text: String {
    switch self {
    case .type(let type): type.text
    case .words(let words): words
    }
  }
}

/// The values of a template's names while a model is made from it.
package struct TemplateNames {
  /// The types for names that start with a capital.
  package private(set) var types: [String: TypeReference] = [:]
  /// The words for names that start with a lowercase letter.
  private(set) var words: [String: String] = [:]

  /// The names of a template without parameters, or of none.
  package init() {}

  package init(_ template: ReusableParts.Template, _ arguments: [TemplateArgument]) {
    for (name, argument) in zip(template.parameters, arguments) {
      switch argument {
      case .type(let type): types[name] = type
      case .words(let text): words[name] = text
      }
    }
  }

  package var isEmpty: Bool { types.isEmpty && words.isEmpty }

  /// Whether a template's name stands for words instead of a type.
  static func isForWords(_ name: String) -> Bool { name.utf8.first?.isLowercase ?? false }
}

// Texts of templates: `A response with {noun}.`, `A response: {T}`.
extension FileReader {
  /// The text, with the names in braces replaced by the template's words and the summaries of its types.
  func filledIn(_ text: String, at node: YAMLNode) -> String {
    guard !names.isEmpty, text.contains("{") else { return text }
    var result = ""
    for part in ModelTemplate.parts(of: text) {
      switch part {
      case .words(let words): result += words
      case .name(let name):
        if let words = names.words[name] {
          result += words
        } else if let type = names.types[name] {
          if let summary = parts.summary(of: type) {
            result += result.isEmpty ? summary : ModelTemplate.insideSentence(summary)
          } else {
            error("`{\(name)}` is the summary of `\(type.text)`, which has none", at: node)
          }
        } else {
          result += "{\(name)}"
        }
      }
    }
    return result
  }
}
