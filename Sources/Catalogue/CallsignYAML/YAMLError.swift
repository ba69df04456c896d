/// The error of a text that could not be read, with the place.
package struct YAMLError: Error, Sendable, Equatable {
  /// The kinds of problems.
  package enum Problem: Sendable, Equatable {
    /// The text is not YAML; the words are libyaml's.
    case syntax(String, while: Context?)
    /// The bytes are not UTF-8.
    case notUTF8
    /// A second document follows; one is read.
    case secondDocument
    /// There is no anchor of this name before the alias.
    case undefinedAlias(String)
    /// An alias, where they are refused.
    case alias(String)
    /// An anchor on a list or mapping, where only scalars may have one.
    case anchoredCollection
    /// Lists and mappings nest deeper than is allowed.
    case tooDeep
    /// Aliases multiply the document to many times its size.
    case tooManyNodes
    /// There was no memory left.
    case outOfMemory
  }

  /// The larger thing that libyaml was reading, and where that began.
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

  /// States the problem in a few words, which may repeat what the text holds.
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
