import Callsign
import Foundation
import HTTPTypes

/// The conventions of X's API, v2 and REST v1.1: its rate-limit fields, error codes, problem types and the farewells of
/// its streams.
public struct XConventions: APIConventions {
  /// X's conventions; there is nothing to choose.
  public init() {}

  /// Reads `x-rate-limit-*`, and X's limits of 24 hours per app and user.
  public func rateLimit(in headers: HTTPFields) -> RateLimit? { RateLimit(xFields: headers) }

  /// The older API says it with code 88, whatever the status.
  public func isRateLimited(_ error: APIError) -> Bool { error.has(code: 88) }

  /// The advice on the problem of which most is known.
  public func advice(for error: APIError) -> String? {
    error.problems.lazy.compactMap(ProblemAdvice.exact).first ?? error.problems.lazy.compactMap(\.advice).first
  }

  /// The problem that is about the app, its access level, or the account.
  public func credentialProblem(in error: APIError) -> Problem? {
    error.problems.first(where: ProblemAdvice.isAboutCredentials)
  }

  /// The advice by code, type or wording.
  public func advice(for problem: Problem) -> String? { problem.advice }

  /// Reads `disconnect` of v1.1, and v2's problems about the connection.
  public func disconnect(in record: Data) -> StreamDisconnect? { StreamDisconnect(xRecord: record) }
}

extension APIConventions where Self == XConventions {
  /// The conventions of X's API.
  public static var x: XConventions { XConventions() }
}
