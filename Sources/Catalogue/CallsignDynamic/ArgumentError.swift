import CallsignSupport

/// All problems with the arguments of a call. Nothing was sent.
public struct ArgumentError: CallsignError, Hashable {
  /// The operation's name.
  public let operation: String
  /// The problems, at least one, in the order of the operation's parameters. Unknown names come last.
  public let problems: [ArgumentProblem]

  /// Creates an error from its problems.
  public init(operation: String, problems: [ArgumentProblem]) {
    self.operation = operation
    self.problems = problems
  }

  /// One line for each problem. No line repeats a value.
  public var description: String {
    "\(operation) was not sent:\n" + problems.map { "  \($0)" }.joined(separator: "\n")
  }
}

/// One problem with an argument, and what would be correct.
public struct ArgumentProblem: Sendable, Hashable, CustomStringConvertible {
  /// A kind of problem.
  public enum Kind: Sendable, Hashable {
    /// The operation has no parameter, or the object no member, with that name. A similar name is suggested if there is one.
    case unknown(suggestion: String?)
    /// The argument is required and was not given.
    case missing
    /// The value is of another JSON kind, or is a text that does not represent such a value.
    case type(found: String)
    /// The value is not one of the possible ones. A similar value is suggested if there is one.
    case value(suggestion: String?)
    /// A number is out of bounds.
    case bounds
    /// A text has too few or too many characters.
    case length
    /// A list has too few or too many elements.
    case count
    /// A text does not match the pattern.
    case pattern
    /// Only the API sets it, so it cannot be sent.
    case readOnly
    /// It cannot be combined with other arguments, or requires others.
    case rule
  }

  /// The parameter's name on the wire, or a path inside it, such as `poll.options[1]`. For a rule, the names in the rule.
  public let parameter: String
  /// The kind of problem.
  public let kind: Kind
  /// A phrase that describes what is allowed, such as `a whole number from 1 to 100`.
  public let allowed: String

  /// Creates a problem.
  public init(parameter: String, kind: Kind, allowed: String) {
    self.parameter = parameter
    self.kind = kind
    self.allowed = allowed
  }

  /// One line that says what to change. It never repeats the value.
  public var description: String {
    func didYouMean(_ suggestion: String?) -> String { suggestion.map { "; did you mean \($0)?" } ?? "" }
    switch kind {
    case .unknown(let suggestion): return "\(parameter): unknown name\(didYouMean(suggestion))"
    case .missing: return "\(parameter): is required: \(allowed)"
    case .type(let found): return "\(parameter): must be \(allowed), not \(found)"
    case .value(let suggestion): return "\(parameter): must be \(allowed)\(didYouMean(suggestion))"
    case .bounds, .length, .count, .pattern: return "\(parameter): must be \(allowed)"
    case .readOnly: return "\(parameter): is set by the API; leave it out"
    case .rule: return allowed
    }
  }
}

/// A name that is not an operation of the catalogue.
public struct UnknownOperation: CallsignError, Hashable {
  /// The name as given.
  public let name: String
  /// The operation that you probably meant.
  public let suggestion: String?

  /// Creates an error for the name.
  public init(name: String, suggestion: String? = nil) {
    self.name = name
    self.suggestion = suggestion
  }

  /// A one-line message for people.
  public var description: String {
    "unknown operation \(name)" + (suggestion.map { "; did you mean \($0)?" } ?? "")
  }
}
