import Callsign
import CallsignHTTP
import CallsignSupport
import XCore

extension XAPI {
  /// The result of a batch compliance job: the posts or users that you must no longer keep. You may keep IDs that it does not
  /// contain.
  public struct ComplianceReport: Sendable {
    /// The job, as last described by X.
    public let job: ComplianceJob
    /// The actions to take, in X's order.
    public let results: [ComplianceResult]
    /// Lines that could not be read, as received; usually empty.
    public let unreadableLines: [String]
  }

  /// An action to take for a stored post or user.
  public struct ComplianceResult: Sendable, Hashable, Identifiable {
    /// The ID of the post or user.
    public let id: String
    /// The action: `delete`, or one that X has added later.
    public let action: String
    /// The reason: `deleted`, `deactivated`, `suspended`, `protected`, `scrub_geo`, or one that X has added later.
    public let reason: String?
    /// When the post or user was created.
    public let createdAt: Date?
    /// When it was removed.
    public let redactedAt: Date?
    /// The line as received.
    public let document: JSONValue

    init?(_ value: JSONValue) {
      guard let id = value["id"]?.string, let action = value["action"]?.string else { return nil }
      self.id = id
      self.action = action
      reason = value["reason"]?.string
      createdAt = value["created_at"]?.string.flatMap(DateFormat.rfc3339.date)
      redactedAt = value["redacted_at"]?.string.flatMap(DateFormat.rfc3339.date)
      document = value
    }
  }

  /// A step of a batch compliance job.
  public enum ComplianceStep: Sendable {
    /// X has accepted the job.
    case created(ComplianceJob)
    /// The IDs have been uploaded.
    case uploaded(ComplianceJobID)
    /// X has reported the job's state.
    case state(ComplianceJobID, ComplianceJob)
    /// The result has arrived, with this number of entries.
    case downloaded(ComplianceJobID, count: Int)
  }

  /// How to wait for a batch compliance job.
  public struct ComplianceSettings: Sendable {
    /// The delay before the second request, doubled before each later one. Default: 5 seconds.
    public var baseDelay: Duration
    /// The longest delay between two requests. Default: a minute.
    public var maximumDelay: Duration
    /// How long to wait for X. `nil`, the default, means without a limit.
    public var timeout: Duration?
    /// The settings for these calls that differ from the client's.
    public var options: CallOptions

    /// Creates settings; the properties list the defaults.
    public init(
      baseDelay: Duration = .seconds(5), maximumDelay: Duration = .seconds(60), timeout: Duration? = nil,
      options: CallOptions = CallOptions()
    ) {
      self.baseDelay = baseDelay
      self.maximumDelay = max(maximumDelay, baseDelay)
      self.timeout = timeout
      self.options = options
    }
  }

  /// A batch compliance job that failed, without a result.
  public struct ComplianceError: Error, Sendable {
    /// A request for the job.
    public enum Request: String, Sendable, Hashable {
      /// Creates the job.
      case create
      /// Uploads the IDs.
      case upload
      /// Asks for the job's state.
      case status
      /// Downloads the result.
      case download
    }

    /// The kinds of failure.
    public enum Cause: Sendable {
      /// There are no IDs to check.
      case noIDs
      /// One of the IDs is invalid: an ID has 1 to 19 digits.
      case invalidID(String)
      /// A request failed, or the task was cancelled during it.
      case call(CallError, Request)
      /// X could not do the job.
      case failed
      /// The IDs were not uploaded in time, or the result is no longer available.
      case expired
      /// The job took longer than ``ComplianceSettings/timeout``. It continues.
      case timedOut(Duration)
      /// X's response lacks something that is needed to continue.
      case incomplete(String)
    }

    /// The failure.
    public var cause: Cause
    /// The job's ID, which you can use to continue; `nil` if no job was created.
    public var jobID: ComplianceJobID?

    init(_ cause: Cause, jobID: ComplianceJobID? = nil) {
      self.cause = cause
      self.jobID = jobID
    }
  }
}

extension XAPI.ComplianceError: CallsignError {
  /// Whether the task was cancelled.
  public var isCancellation: Bool {
    if case .call(let error, _) = cause { error.isCancellation } else { false }
  }

  /// The problem and what to do, in one line.
  public var description: String {
    let job = jobID.map { " (job \($0.printable))" } ?? ""
    let text =
      switch cause {
      case .noIDs: "the list of ids is empty; nothing was sent"
      case .invalidID(let id): "`\(id)` is not an id; ids have from 1 to 19 digits; nothing was sent"
      case .call(let error, .create): "the job could not be created: \(error)"
      case .call(let error, .upload): "the ids could not be uploaded: \(error)"
      case .call(let error, .status): "the job's state is not known: \(error)"
      case .call(let error, .download): "the result could not be fetched: \(error)"
      case .failed: "X could not do the job; create another"
      case .expired: "the job has expired; create another"
      case .timedOut(let limit): "X was not done after \(limit); continue with the job later"
      case .incomplete(let what): "\(what); try again later"
      }
    return text + job
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
