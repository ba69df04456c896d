import Callsign
import HTTPTypes

/// What a server asks for: one challenge of a `WWW-Authenticate` field (RFC 9110 §11.3).
public struct HTTPChallenge: Sendable, Hashable {
  /// The scheme in lower case, such as `digest`.
  public let scheme: String
  /// What follows the scheme where that is one value and no list of parameters, as `Negotiate` has it.
  public let token68: String?
  /// The parameters, quotes removed, by their names in lower case. Of a name that occurs twice the first counts.
  public let parameters: [String: String]

  /// Describes a challenge.
  public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
    self.scheme = scheme.lowercased()
    self.token68 = token68
    self.parameters = parameters
  }

  /// A parameter by its name in lower case.
  public subscript(name: String) -> String? { parameters[name] }

  /// All challenges of the `WWW-Authenticate` fields, in the server's order. What cannot be read is left out.
  public static func all(in fields: HTTPFields) -> [HTTPChallenge] {
    fields[values: .wwwAuthenticate].flatMap { HTTPChallengeParser.read($0) }
  }
}

extension Rejection {
  /// What the server asks for, in its order; empty where it does not say.
  public var challenges: [HTTPChallenge] { HTTPChallenge.all(in: answer.headers) }
}
