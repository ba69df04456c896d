import CallsignHTTP
import CallsignJSON

/// The settings for one call that differ from its client's.
public struct CallOptions: Sendable {
  /// `nil` as long as nothing differs. One word, because each function that a call passes through has its own copy.
  private var storage: Storage?

  /// The time limits for the transfer; `nil` uses ``ClientConfiguration/timeouts``.
  public var timeouts: Timeouts? {
    get { storage?.values.timeouts }
    set { edit { $0.timeouts = newValue } }
  }
  /// Header fields to add, or to send instead of the client's.
  ///
  /// The call fails with ``CallError/invalidCall(_:)`` if HTTP does not allow the name or value, or if the field
  /// belongs to the transfer itself (`Host`, `Content-Length`, `Transfer-Encoding`, `Connection`). The authenticator
  /// replaces an `Authorization` field.
  public var headers: [String: String] {
    get { storage?.values.headers ?? [:] }
    set { edit { $0.headers = newValue } }
  }
  /// Query parameters to add, or to send instead of the call's own with the same name.
  ///
  /// Use them for parameters that the catalogue does not have yet.
  ///
  /// ```swift
  /// options.query["new"] = "yes"
  /// ```
  public var query: [String: any ParameterValue & Sendable] {
    get { storage?.values.query ?? [:] }
    set { edit { $0.query = newValue } }
  }
  /// Members of the body to add, or to send instead of the call's own with the same name, in a JSON object, a form or a
  /// multipart body. In a form or a part, a value that is not text becomes JSON. If the call has no body, or a body that is
  /// neither of these, it fails with ``CallError/invalidCall(_:)``.
  public var body: [String: JSONValue] {
    get { storage?.values.body ?? [:] }
    set { edit { $0.body = newValue } }
  }
  /// Whether to send omitted arguments with the default from the API's document, so that later changes of a default have no effect.
  /// Default: no; the API then uses its own default. Members of objects are not filled in, and neither are arguments if the API
  /// requires one of several.
  public var sendsDefaults: Bool {
    get { storage?.values.sendsDefaults ?? false }
    set { edit { $0.sendsDefaults = newValue } }
  }
  /// The idempotency key of this call, if its endpoint has one: the API carries the call out only once, however often
  /// it is sent. Set it for a call that your program repeats after a restart. `nil`, the default: a random key for each
  /// call, the same for all its attempts. For pages, only the first page that is read uses it; each further page has a
  /// random key.
  public var idempotencyKey: String? {
    get { storage?.values.idempotencyKey }
    set { edit { $0.idempotencyKey = newValue } }
  }
  /// Whether the key was generated, so that the caller does not know it.
  package var hasMadeKey: Bool {
    get { storage?.values.hasMadeKey ?? false }
    set { edit { $0.hasMadeKey = newValue } }
  }
  /// A condition on the current state of the requested or changed resource. Default: none.
  public var condition: CallCondition? {
    get { storage?.values.condition }
    set { edit { $0.condition = newValue } }
  }
  /// Whether a reading call follows redirects within its origin. Default: yes. If not, every redirect is a
  /// ``CallError/unexpectedContent(_:)``, with its `Location` among the header fields.
  public var followsRedirects: Bool {
    get { storage?.values.followsRedirects ?? true }
    set { edit { $0.followsRedirects = newValue } }
  }
  /// The policy for retrying the call; `nil` uses ``ClientConfiguration/retry``.
  public var retry: RetryPolicy? {
    get { storage?.values.retry }
    set { edit { $0.retry = newValue } }
  }
  /// The reaction to an exhausted rate limit; `nil` uses ``ClientConfiguration/rateLimitPolicy``.
  public var rateLimitPolicy: RateLimitPolicy? {
    get { storage?.values.rateLimitPolicy }
    set { edit { $0.rateLimitPolicy = newValue } }
  }
  /// The time limit for the whole call, from its start. It includes all attempts, the pauses between them,
  /// `Retry-After`, waits for rate limits, and the choice and renewal of credentials. `nil` uses
  /// ``ClientConfiguration/deadline``.
  ///
  /// If a wait would exceed the deadline, the call fails at once with the error that it would have waited after. A
  /// transfer that is under way at the deadline ends with ``TransportError/Kind/timedOut``. Each page of ``Pages`` and
  /// each step of an upload is a separate call; a stream has no deadline.
  public var deadline: Duration? {
    get { storage?.values.deadline }
    set { edit { $0.deadline = newValue } }
  }
  /// Receives the progress of the body transfers, on any thread. ``Transfer`` turns it into a sequence. Default: none.
  public var progress: (@Sendable (TransferProgress) -> Void)? {
    get { storage?.values.progress }
    set { edit { $0.progress = newValue } }
  }
  /// Checks that run in order before the call is sent. The first one that refuses the call makes it fail with
  /// ``CallError/invalidCall(_:)``. Default: none.
  public var checks: [any CallCheck] {
    get { storage?.values.checks ?? [] }
    set { edit { $0.checks = newValue } }
  }

  /// Describes the settings.
  ///
  /// - Parameters:
  ///   - timeouts: The time limits for the transfer; by default the client's.
  ///   - headers: Header fields to add.
  ///   - followsRedirects: Whether a redirect within the origin is followed.
  ///   - retry: The policy for retrying the call; by default the client's.
  ///   - rateLimitPolicy: The reaction to an exhausted rate limit; by default the client's.
  ///   - deadline: The time limit for the whole call; by default the client's.
  ///   - progress: Receives the progress of the transfer.
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

  /// A limit on each transfer of the call; the other limits are the transport's defaults.
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
