import Foundation

extension Sandbox {
  /// What happens to videos and animated GIFs after their last segment, as `processing_info` tells.
  public struct MediaProcessing: Sendable, Hashable {
    enum End: Sendable, Hashable {
      case checks(Int)
      case seconds(TimeInterval)
    }

    /// Why an upload fails, as X tells.
    public struct Failure: Sendable, Hashable {
      /// X's number, such as 1.
      public var code: Int
      /// X's name, such as `InvalidMedia`.
      public var name: String
      /// X's sentence.
      public var message: String

      /// Makes one; by default the one that X gives for files that it cannot read.
      public init(code: Int = 1, name: String = "InvalidMedia", message: String = "Unsupported video format") {
        self.code = code
        self.name = name
        self.message = message
      }
    }

    let end: End
    let checkAfter: Int
    let failure: Failure?

    /// Ends when the state has been asked for so many times.
    ///
    /// - Parameters:
    ///   - count: How many answers say that it is not over; the next one says that it is. 0: the answer to the upload's last
    ///     request says so already.
    ///   - checkAfter: `check_after_secs`.
    ///   - failure: Why it fails; by default it succeeds.
    public static func afterChecks(_ count: Int, checkAfter: Int = 1, failure: Failure? = nil) -> MediaProcessing {
      MediaProcessing(end: .checks(count), checkAfter: checkAfter, failure: failure)
    }

    /// Ends when so many seconds have passed by the sandbox's clock.
    public static func afterSeconds(
      _ seconds: TimeInterval, checkAfter: Int = 1, failure: Failure? = nil
    ) -> MediaProcessing {
      MediaProcessing(end: .seconds(seconds), checkAfter: checkAfter, failure: failure)
    }
  }
}

extension MediaRecord {
  /// `processing_info`, if there is any.
  func processingInfo(at now: Date) -> JSON? {
    guard isComplete, let processing else { return nil }
    let share: Double
    switch processing.end {
    case .checks(let count): share = count > 0 ? Double(checks) / Double(count + 1) : 1
    case .seconds(let seconds):
      share = seconds > 0 ? now.timeIntervalSince(completedAt ?? now) / seconds : 1
    }
    let percent = max(0, min(100, Int(share * 100)))
    guard share >= 1 else {
      return [
        "state": checks == 0 ? "pending" : "in_progress", "check_after_secs": .integer(processing.checkAfter),
        "progress_percent": .integer(percent),
      ]
    }
    guard let failure = processing.failure else { return ["state": "succeeded", "progress_percent": 100] }
    return [
      "state": "failed", "progress_percent": .integer(percent),
      "error": [
        "code": .integer(failure.code), "name": .string(failure.name), "message": .string(failure.message),
      ],
    ]
  }

  /// Whether it can be attached.
  func isUsable(at now: Date) -> Bool {
    guard isComplete else { return false }
    return processingInfo(at: now).map { $0["state"]?.string == "succeeded" } ?? true
  }
}
