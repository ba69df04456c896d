import Callsign

extension XAPIv1.ErrorCode {
  /// What to do about it, in one sentence; `nil` for a code of which nothing is known.
  public var advice: String? { Problem.advice(code: rawValue) }
}

extension XAPIv1.ErrorCode: CustomStringConvertible {
  /// The number, and what to do.
  public var description: String { advice.map { "\(rawValue): \($0)" } ?? "\(rawValue)" }
}
