import Callsign
import CallsignHTTP
import CallsignSupport
import XCore

extension XAPI {
  /// The result of a batch compliance job: what is no longer to be kept. An id that is not there may stay.
  public struct ComplianceReport: Sendable {
    /// The job, as X described it last.
    public let job: ComplianceJob
    /// The actions that are to be taken, in X's order.
    public let results: [ComplianceResult]
    /// Lines that could not be read, as they came; mostly none.
    public let unreadableLines: [String]
  }

  /// An action that is to be taken with a stored post or user.
  public struct ComplianceResult: Sendable, Hashable, Identifiable {
    /// The id of the post or user.
    public let id: String
    /// The action: `delete`, or one that X has added since.
    public let action: String
    /// The reason: `deleted`, `deactivated`, `suspended`, `protected`, `scrub_geo`, or what X has added since.
    public let reason: String?
    /// The time at which the post or user was made.
    public let createdAt: Date?
    /// The time at which it was taken away.
    public let redactedAt: Date?
    /// The line as it came.
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
    /// X has taken it on.
    case created(ComplianceJob)
    /// The ids are there.
    case uploaded(ComplianceJobID)
    /// X was asked how far it is.
    case state(ComplianceJobID, ComplianceJob)
    /// The result is here, with so many entries.
    case downloaded(ComplianceJobID, count: Int)
  }

  /// The settings of waiting for a batch compliance job.
  public struct ComplianceSettings: Sendable {
    /// Before the second question; twice as long before each further one. Default: 5 seconds.
    public var baseDelay: Duration
    /// The longest pause between two questions. Default: a minute.
    public var maximumDelay: Duration
    /// The longest that may pass until X is done. `nil`, the default: no bound.
    public var timeout: Duration?
    /// Deviations of each of the calls from their client's configuration.
    public var options: CallOptions

    /// Chooses; see the properties for the defaults.
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

  /// The failure of a batch compliance job, which has no result.
  public struct ComplianceError: Error, Sendable {
    /// A request of the job.
    public enum Request: String, Sendable, Hashable {
      /// Creating it.
      case create
      /// Uploading the ids.
      case upload
      /// Asking how far it is.
      case status
      /// Fetching the result.
      case download
    }

    /// The kinds of failure.
    public enum Cause: Sendable {
      /// There is no id to check.
      case noIDs
      /// One of the ids is not an id, which has from 1 to 19 digits.
      case invalidID(String)
      /// A request failed, or the task was cancelled at it.
      case call(CallError, Request)
      /// X could not do the job.
      case failed
      /// The ids were not uploaded in time, or the result is there no longer.
      case expired
      /// It took longer than ``ComplianceSettings/timeout``. It goes on.
      case timedOut(Duration)
      /// X's response lacks what is needed to go on.
      case incomplete(String)
    }

    /// The failure.
    public var cause: Cause
    /// The job's id, by which it can be gone on with; `nil` where none was created.
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
