extension CallError {
  /// What the API says the error is about, in the order of the answer; empty where it did not answer, or named no code.
  public var v1Codes: [XAPIv1.ErrorCode] { problems.v1Codes }
}

extension APIError {
  /// What the API says the error is about, in the order of the answer.
  public var v1Codes: [XAPIv1.ErrorCode] { problems.v1Codes }
}

extension [Problem] {
  fileprivate var v1Codes: [XAPIv1.ErrorCode] { compactMap(\.code).map { XAPIv1.ErrorCode(rawValue: $0) } }
}
