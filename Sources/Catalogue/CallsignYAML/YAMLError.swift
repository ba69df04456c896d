/// An error in a text that could not be read, with its location.
package struct YAMLError: Error, Sendable, Equatable {
  /// The kinds of problems.
  package enum Problem: Sendable, Equatable {
    /// The text is not YAML; the words are libyaml's.
    case syntax(String, while: Context?)
    /// The bytes are not UTF-8.
    case notUTF8
    /// A second document follows, but only one is allowed.
    case secondDocument
    /// No anchor with this name exists before the alias.
    case undefinedAlias(String)
    /// The text contains an alias, but aliases are not allowed.
    case alias(String)
    /// A list or mapping has an anchor, but only scalars can have one.
    case anchoredCollection
    /// Lists and mappings are nested deeper than allowed.
    case tooDeep
    /// Aliases multiply the document to many times its size.
    case tooManyNodes
    /// The memory was exhausted.
    case outOfMemory
  }

  /// The construct that libyaml was reading, and where it began.
  package struct Context: Sendable, Equatable {
    package var text: String
    package var line: Int
    package var column: Int
  }

  package var problem: Problem
  /// Counted from 1.
  package var line: Int
  /// Counted from 1, in Unicode scalars.
  package var column: Int

  /// Describes the problem in a few words. They may repeat content of the text.
  package var message: String {
    switch problem {
    case .syntax(let problem, _): problem
    case .notUTF8: "the text is not UTF-8"
    case .secondDocument: "a second document begins here"
    case .undefinedAlias(let name): "the alias `*\(name)` has no anchor before it"
    case .alias(let name): "the alias `*\(name)` is not allowed"
    case .anchoredCollection: "an anchor on a list or mapping is not allowed"
    case .tooDeep: "lists and mappings nest too deep"
    case .tooManyNodes: "aliases multiply the document to many times its size"
    case .outOfMemory: "the memory is used up"
    }
  }
}
