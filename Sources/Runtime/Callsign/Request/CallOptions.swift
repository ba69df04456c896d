import CallsignHTTP
import CallsignJSON

/// The settings in which one call differs from its client.
public struct CallOptions: Sendable {
  /// `nil` as long as nothing differs. One word, because each function on a call's way has a copy of its own.
  private var storage: Storage?

  /// The time that the transfer may take; `nil` leaves it to ``ClientConfiguration/timeouts``.
  public var timeouts: Timeouts? {
    get { storage?.values.timeouts }
    set { edit { $0.timeouts = newValue } }
  }
  /// Header fields to add, or to send in place of the client's own.
  ///
  /// A name or value that HTTP does not allow, and the fields that belong to the transfer itself (`Host`,
  /// `Content-Length`, `Transfer-Encoding`, `Connection`), make the call fail with ``CallError/invalidCall(_:)``. An
  /// `Authorization` field is replaced by the authenticator's.
  public var headers: [String: String] {
    get { storage?.values.headers ?? [:] }
    set { edit { $0.headers = newValue } }
  }
  /// Query parameters to add, or to send in place of the call's own of the same name: what the catalogue does not know yet.
  ///
  /// ```swift
  /// options.query["new"] = "yes"
  /// ```
  public var query: [String: any ParameterValue & Sendable] {
    get { storage?.values.query ?? [:] }
    set { edit { $0.query = newValue } }
  }
  /// Members of the body to add, or to send in place of the call's own of the same name: of a JSON object, a form or a
  /// multipart body. A value that is no text goes into a form or a part as JSON. Calls whose body is something else, and
  /// those without a body, are not sent with them.
  public var body: [String: JSONValue] {
    get { storage?.values.body ?? [:] }
    set { edit { $0.body = newValue } }
  }
  /// Whether arguments that the call leaves out are sent with the default that the API's document names, so that another
  /// default of later years changes nothing. Default: no; the API then takes its own. Members of objects, and arguments of
  /// which the API wants one of several, are not filled in.
  public var sendsDefaults: Bool {
    get { storage?.values.sendsDefaults ?? false }
    set { edit { $0.sendsDefaults = newValue } }
  }
  /// The key by which the API knows this call again, where its endpoint has one, so that it is carried out once however
  /// often it is sent: for a call that is made again after the program has ended. `nil`, the default: a random one for
  /// each call, the same for all its attempts. Of pages, the first that is read has it, and each further one a random one.
  public var idempotencyKey: String? {
    get { storage?.values.idempotencyKey }
    set { edit { $0.idempotencyKey = newValue } }
  }
  /// Whether the key is not the caller's, who does not know it.
  package var hasMadeKey: Bool {
    get { storage?.values.hasMadeKey ?? false }
    set { edit { $0.hasMadeKey = newValue } }
  }
  /// A demand on the present state of what is asked for or changed. Default: none.
  public var condition: CallCondition? {
    get { storage?.values.condition }
    set { edit { $0.condition = newValue } }
  }
  /// Whether a redirect of a call that reads is followed, within its origin. Default: yes. If not, every redirect is
  /// ``CallError/unexpectedContent(_:)``, with its `Location` among the header fields.
  public var followsRedirects: Bool {
    get { storage?.values.followsRedirects ?? true }
    set { edit { $0.followsRedirects = newValue } }
  }
  /// The rules for sending the call again; `nil` leaves it to ``ClientConfiguration/retry``.
  public var retry: RetryPolicy? {
    get { storage?.values.retry }
    set { edit { $0.retry = newValue } }
  }
  /// The reaction to an exhausted rate limit; `nil` leaves it to ``ClientConfiguration/rateLimitPolicy``.
  public var rateLimitPolicy: RateLimitPolicy? {
    get { storage?.values.rateLimitPolicy }
    set { edit { $0.rateLimitPolicy = newValue } }
  }
  /// The longest that the whole call may take, from its start: all its attempts, the pauses between them, `Retry-After`,
  /// waits for rate limits, and the choice and renewal of credentials. `nil` leaves it to ``ClientConfiguration/deadline``.
  ///
  /// A wait that would end later is not begun; the call then fails at once with the error that it would have waited after.
  /// A transfer that is under way when the time is over ends with ``TransportError/Kind/timedOut``. Each page of ``Pages``
  /// and each step of an upload is a call of its own; a stream has no deadline.
  public var deadline: Duration? {
    get { storage?.values.deadline }
    set { edit { $0.deadline = newValue } }
  }
  /// Is told how far the transfer of the bodies is, from any thread; ``Transfer`` makes a sequence of it. Default:
  /// nobody is.
  public var progress: (@Sendable (TransferProgress) -> Void)? {
    get { storage?.values.progress }
    set { edit { $0.progress = newValue } }
  }
  /// Looked at in their order before the call is sent; the first that refuses it fails it with
  /// ``CallError/invalidCall(_:)``. Default: none.
  public var checks: [any CallCheck] {
    get { storage?.values.checks ?? [] }
    set { edit { $0.checks = newValue } }
  }

  /// Describes the exceptions.
  ///
  /// - Parameters:
  ///   - timeouts: How long the transfer may take; by default as the client is configured.
  ///   - headers: Header fields to add.
  ///   - followsRedirects: Whether a redirect within the origin is followed.
  ///   - retry: When the call is sent again; by default as the client is configured.
  ///   - rateLimitPolicy: The reaction to an exhausted rate limit; by default as the client is configured.
  ///   - deadline: The longest that the whole call may take; by default as the client is configured.
  ///   - progress: Is told how far the transfer is.
  public init(
    timeouts: Timeouts? = nil, headers: [String: String] = [:], followsRedirects: Bool = true,
    retry: RetryPolicy? = nil, rateLimitPolicy: RateLimitPolicy? = nil, deadline: Duration? = nil,
    progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) {
    let isDefault =
      timeouts == nil && headers.isEmpty && followsRedirects && retry == nil && rateLimitPolicy == nil
      && deadline == nil
      && progress == nil
    if isDefault { return }
    var values = Values()
    values.timeouts = timeouts
    values.headers = headers
    values.followsRedirects = followsRedirects
    values.retry = retry
    values.rateLimitPolicy = rateLimitPolicy
    values.deadline = deadline
    values.progress = progress
    storage = Storage(values)
  }

  /// A bound on each transfer of the call, otherwise as the transport's defaults have it.
  public static func timeout(_ total: Duration) -> CallOptions {
    CallOptions(timeouts: Timeouts(idle: total, total: total))
  }

  private mutating func edit(_ change: (inout Values) -> Void) {
    var values = storage?.values ?? Values()
    change(&values)
    storage = Storage(values)
  }

  private struct Values: Sendable {
    var timeouts: Timeouts?
    var headers: [String: String] = [:]
    var query: [String: any ParameterValue & Sendable] = [:]
    var body: [String: JSONValue] = [:]
    var sendsDefaults = false
    var idempotencyKey: String?
    var hasMadeKey = false
    var condition: CallCondition?
    var followsRedirects = true
    var retry: RetryPolicy?
    var rateLimitPolicy: RateLimitPolicy?
    var deadline: Duration?
    var progress: (@Sendable (TransferProgress) -> Void)?
    var checks: [any CallCheck] = []
  }

  private final class Storage: Sendable {
    let values: Values

    init(_ values: Values) { self.values = values }
  }
}
