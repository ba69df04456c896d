import CallsignSupport

/// All that is wrong with the arguments of a call. Nothing was sent.
public struct ArgumentError: CallsignError, Hashable {
  /// The operation's name.
  public let operation: String
  /// The problems, at least one, in the order of the operation's parameters; names that it does not have come last.
  public let problems: [ArgumentProblem]

  /// States problems.
  public init(operation: String, problems: [ArgumentProblem]) {
    self.operation = operation
    self.problems = problems
  }

  /// A line for each problem. None repeats a value.
  public var description: String {
    "\(operation) was not sent:\n" + problems.map { "  \($0)" }.joined(separator: "\n")
  }
}

/// One thing that is wrong with an argument, and what would be right.
public struct ArgumentProblem: Sendable, Hashable, CustomStringConvertible {
  /// A kind of problem.
  public enum Kind: Sendable, Hashable {
    /// The operation has no parameter, or the object no member, of that name; one of a similar name may be meant.
    case unknown(suggestion: String?)
    /// It is required and was not given.
    case missing
    /// It is of another kind of JSON, or a text that does not say such a value.
    case type(found: String)
    /// It is none of the values that there are; one of a similar name may be meant.
    case value(suggestion: String?)
    /// A number is out of bounds.
    case bounds
    /// A text has too few or too many characters.
    case length
    /// A list has too few or too many elements.
    case count
    /// A text does not match the pattern.
    case pattern
    /// The API sets it: it cannot be sent.
    case readOnly
    /// It does not go together with others, or not without them.
    case rule
  }

  /// The parameter's name on the wire; inside it a path, such as `poll.options[1]`. Of a rule, the names that it has.
  public let parameter: String
  /// The kind of problem.
  public let kind: Kind
  /// A phrase for what is allowed, such as `a whole number from 1 to 100`.
  public let allowed: String

  /// States a problem.
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

/// A name that no operation of the catalogue has.
public struct UnknownOperation: CallsignError, Hashable {
  /// The name as it was given.
  public let name: String
  /// The operation that was probably meant.
  public let suggestion: String?

  /// States the name.
  public init(name: String, suggestion: String? = nil) {
    self.name = name
    self.suggestion = suggestion
  }

  /// One line for people.
  public var description: String {
    "unknown operation \(name)" + (suggestion.map { "; did you mean \($0)?" } ?? "")
  }
}
