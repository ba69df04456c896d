import CallsignYAML

/// A part that a use gives to a template: a type, or words for its texts.
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

/// The meanings of a template's names while a model is made of it.
package struct TemplateNames {
  /// The types that stand for names with a capital.
  package private(set) var types: [String: TypeReference] = [:]
  /// The words that stand for names with a small letter.
  private(set) var words: [String: String] = [:]

  /// A template without names, or none.
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

  /// Whether a template's name stands for words, and not for a type.
  static func isForWords(_ name: String) -> Bool { name.utf8.first?.isLowercase ?? false }
}

// Texts of templates: `A response with {noun}.`, `A response: {T}`.
extension FileReader {
  /// The text with the template's words, and the summaries of its types, in the place of their names in braces.
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
