import Callsign
import CallsignSupport
import HTTPTypes

/// The conventions of X's API, v2 and REST v1.1: its rate-limit fields, error codes, problem types, and the messages that end its
/// streams.
public struct XConventions: APIConventions {
  /// X's conventions; they have no options.
  public init() {}

  /// Reads `x-rate-limit-*`, and X's limits of 24 hours per app and user.
  public func rateLimit(in headers: HTTPFields) -> RateLimit? { RateLimit(xFields: headers) }

  /// Reads the `error` elements and the codes in them.
  public func problems(inXML body: Data) -> [ProblemDetails] { ProblemDetails.all(inXML: body) }

  /// v1.1 uses code 88 and v2 uses a type, whatever the status.
  public func isRateLimited(_ error: APIError) -> Bool {
    error.has(code: 88) || error.problems.contains { $0.kind == .rateLimitExceeded }
  }

  /// Whether the plan's cap or the account's credits are used up. X also uses 429 for this.
  public func isQuotaExceeded(_ error: APIError) -> Bool { error.problems.contains(where: ProblemAdvice.isAboutQuota) }

  /// A response has `data`, or `meta` if it is a list of nothing. X says with 200 and `errors` that it found nothing.
  public var resultMembers: [String] { ["data", "meta"] }

  /// The advice on the most specific problem.
  public func advice(for error: APIError) -> String? {
    error.problems.lazy.compactMap(ProblemAdvice.exact).first ?? error.problems.lazy.compactMap(\.advice).first
  }

  /// The problem that is about the app, its access level, or the account.
  public func credentialProblem(in error: APIError) -> ProblemDetails? {
    error.problems.first(where: ProblemAdvice.isAboutCredentials)
  }

  /// The advice by code, type or wording.
  public func advice(for problem: ProblemDetails) -> String? { problem.advice }

  /// Reads `disconnect` of v1.1, and v2's problems about the connection.
  public func disconnect(in record: Data) -> StreamDisconnect? { StreamDisconnect(xRecord: record) }

  /// Reads the time from the id; see ``Snowflake``.
  public func date(ofRecordWithID id: String) -> Date? { Snowflake(id)?.date }

  /// Every v2 call that takes a time span has these parameters: calls that return pages, and streams that can be
  /// replayed.
  ///
  /// Source: <https://docs.x.com/x-api/fundamentals/recovery-and-redundancy>
  public var timeSpan: TimeSpanParameters? { TimeSpanParameters(start: "start_time", end: "end_time") }
}

extension APIConventions where Self == XConventions {
  /// The conventions of X's API.
  public static var x: XConventions { XConventions() }
}

extension RateLimit {
  /// Reads `x-rate-limit-limit`, `-remaining` and `-reset` (seconds since 1970), and the same fields with the prefixes
  /// `x-app-limit-24hour` and `x-user-limit-24hour`; `nil` if there are none.
  ///
  /// Source: https://docs.x.com/x-api/fundamentals/rate-limits
  init?(xFields headers: HTTPFields) {
    var endpoint = Window()
    var app = Window()
    var user = Window()
    // A single loop over all fields, because most responses of other APIs have none of these.
    for field in headers {
      let name = field.name.canonicalName
      guard name.utf8.first == UInt8(ascii: "x"), name.hasPrefix("x-") else { continue }
      if name.hasPrefix("x-rate-limit-") {
        endpoint.read(field, name.utf8.dropFirst("x-rate-limit-".utf8.count))
      } else if name.hasPrefix("x-app-limit-24hour-") {
        app.read(field, name.utf8.dropFirst("x-app-limit-24hour-".utf8.count))
      } else if name.hasPrefix("x-user-limit-24hour-") {
        user.read(field, name.utf8.dropFirst("x-user-limit-24hour-".utf8.count))
      }
    }
    if endpoint.isEmpty, app.isEmpty, user.isEmpty { return nil }
    self.init(
      limit: endpoint.limit, remaining: endpoint.remaining, reset: endpoint.reset, appDay: app.isEmpty ? nil : app,
      userDay: user.isEmpty ? nil : user)
  }
}

extension RateLimit.Window {
  fileprivate mutating func read(_ field: HTTPField, _ suffix: Substring.UTF8View) {
    guard let number = field.wholeNumber ?? Int(field.value.filter { $0 != " " }), number >= 0 else { return }
    if suffix.elementsEqual("limit".utf8) {
      limit = number
    } else if suffix.elementsEqual("remaining".utf8) {
      remaining = number
    } else if suffix.elementsEqual("reset".utf8) {
      reset = Date(timeIntervalSince1970: TimeInterval(number))
    }
  }
}
