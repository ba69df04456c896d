import HTTPTypes

/// A condition on the current state of the requested or changed resource (RFC 9110 §13).
///
/// ```swift
/// let pet = try await petstore.getPet(id: "7")
/// var options = CallOptions()
/// options.condition = pet.entityTag.map { .ifMatch($0) }
/// try await petstore.updatePet(id: "7", name: "Rex", options: options)  // fails if somebody else was faster
/// ```
public enum CallCondition: Sendable, Hashable {
  /// Only while it still has this entity tag: else the call fails, and ``CallError/isPreconditionFailure`` is true.
  case ifMatch(String)
  /// Only if it exists.
  case ifPresent
  /// Only when it no longer has this entity tag: else the call fails, and ``CallError/isNotModified`` is true.
  case ifNoneMatch(String)
  /// Only if it does not exist yet.
  case ifAbsent

  var field: String {
    switch self {
    case .ifMatch, .ifPresent: "If-Match"
    case .ifNoneMatch, .ifAbsent: "If-None-Match"
    }
  }

  var value: String {
    switch self {
    case .ifMatch(let tag), .ifNoneMatch(let tag): tag
    case .ifPresent, .ifAbsent: "*"
    }
  }
}

extension CallError {
  /// Whether the API responded that nothing has changed since the entity tag that the call named (304).
  public var isNotModified: Bool { rawResponse?.status.code == 304 }

  /// Whether the API refused the call because its condition is not met (412), or because it requires a condition (428).
  public var isPreconditionFailure: Bool { [412, 428].contains(rawResponse?.status.code) }
}
