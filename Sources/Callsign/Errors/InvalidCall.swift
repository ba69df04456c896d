/// Why a call was not sent.
public struct InvalidCall: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The placeholder of the path has no value.
    case missingPathValue
    /// The placeholder's value is empty, which would name another resource.
    case emptyPathValue
    /// The placeholder's value is `.` or `..`, which would name another resource.
    case dotPathValue
    /// Exactly one of the parameters must be given.
    case notExactlyOne(of: [String])
    /// At least one of the parameters must be given.
    case none(of: [String])
    /// All of the parameters must be given, or none.
    case notAll(of: [String])
    /// A header field's name or value has a character that HTTP does not allow.
    case headerField
    /// The header field belongs to the transfer itself and cannot be set.
    case reservedHeaderField
    /// The URL cannot be used; the text says why.
    case url(String)
    /// The value cannot be written; the text says why.
    case value(String)
    /// The body could not be made; the text says why.
    case body(String)
    /// Another iterator reads the same stream.
    case streamInUse
  }

  /// The endpoint's name in the catalogue, or the method and path of a free call.
  public var endpoint: String
  /// The name on the wire of the parameter or field, where one is to blame.
  public var parameter: String?
  /// What is wrong with it.
  public var reason: Reason

  /// States a problem.
  public init(endpoint: String, parameter: String? = nil, reason: Reason) {
    self.endpoint = endpoint
    self.parameter = parameter
    self.reason = reason
  }
}

extension InvalidCall: CustomStringConvertible {
  /// What to change, in one line. It never quotes a value.
  public var description: String {
    let subject = parameter.map { "'\($0)'" } ?? "the call"
    let advice =
      switch reason {
      case .missingPathValue: "\(subject) is part of the path; give it a value"
      case .emptyPathValue: "\(subject) is part of the path and is empty; give it a value"
      case .dotPathValue: "\(subject) is part of the path and cannot be '.' or '..'"
      case .notExactlyOne(let names): "give exactly one of \(names.joined(separator: ", "))"
      case .none(let names): "give at least one of \(names.joined(separator: ", "))"
      case .notAll(let names): "give all of \(names.joined(separator: ", ")), or none of them"
      case .headerField: "the header field \(subject) has a character that HTTP does not allow; remove it"
      case .reservedHeaderField: "the header field \(subject) is set by the transfer itself; leave it out"
      case .url(let why): "the URL cannot be used: \(why)"
      case .value(let why): "\(subject) cannot be sent: \(why)"
      case .body(let why): "the body cannot be sent: \(why)"
      case .streamInUse: "another iterator reads this stream; end that one first, or make a second stream"
      }
    return "\(endpoint) was not sent: \(advice)"
  }
}
