import CallsignJSON
import Foundation
import HTTPTypes

extension CallError {
  /// What an answer that is not a success means. The status decides, whatever the body looks like.
  init(_ answer: RawResponse, call: PreparedCall) {
    let error = APIError(answer: answer)
    switch answer.status.code {
    case 429, 420:
      self = .rateLimited(answer.rateLimit, error)
    case 401:
      self = .authorization(AuthorizationError(.refused, advice: RefusalAdvice.sentence(for: error), response: error))
    case 403 where RefusalAdvice.isAboutCredentials(error):
      self = .authorization(AuthorizationError(.refused, advice: RefusalAdvice.sentence(for: error), response: error))
    default:
      self = error.conventions.isRateLimited(error) ? .rateLimited(answer.rateLimit, error) : .api(error)
    }
  }

  /// What a successful answer that could not be decoded means.
  init(_ error: JSONError, answer: RawResponse) {
    switch ContentKind(answer.body) {
    case .html: self = .unexpectedContent(UnexpectedContent(kind: .html, answer: answer))
    case .xml: self = .unexpectedContent(UnexpectedContent(kind: .xml, answer: answer))
    case .empty: self = .unexpectedContent(UnexpectedContent(kind: .empty, answer: answer))
    case .other: self = .unexpectedContent(UnexpectedContent(kind: .other, answer: answer))
    case .json where error.kind == .unexpectedEnd:
      self = .unexpectedContent(UnexpectedContent(kind: .truncated, answer: answer))
    case .json:
      // Some APIs answer 200 with `errors` and no `data` where others answer 404.
      let refusal = APIError(answer: answer)
      self =
        error.kind == .missing && !refusal.problems.isEmpty
        ? .api(refusal) : .decoding(DecodingFailure(error: error, answer: answer))
    }
  }
}

extension APIError {
  /// Reads what an error's body says, in whichever form it says it.
  package init(answer: RawResponse) {
    self.answer = answer
    content = ContentKind(answer.body)
    problems =
      switch content {
      case .json: Problem.all(in: answer.body)
      case .xml: Problem.all(inXML: answer.body)
      case .html, .empty, .other: []
      }
  }
}
