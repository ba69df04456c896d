import CallsignHTTP
import Foundation
import HTTPTypes

/// The kinds of failure that ``ReconnectPolicy`` tells apart.
public enum DisconnectReason: Hashable, Sendable {
  case end
  case network
  case httpError
  case rateLimit
}

extension StreamDrop {
  /// What kind of failure it is; `nil` when a further connection would not mend it.
  ///
  /// - Parameter wasConnected: Whether an earlier connection of the stream has succeeded.
  func cause(wasConnected: Bool) -> DisconnectReason? {
    switch self {
    case .ended: .end
    case .disconnected(let message): message.cause
    case .stalled: .network
    case .failed(let error): error.disconnectReason(wasConnected: wasConnected)
    }
  }

  /// What the reader gets when no further connection is made; `nil`: the end.
  var error: CallError? {
    switch self {
    case .ended, .disconnected: nil
    case .stalled: .transport(TransportError(.timedOut, delivery: .delivered, detail: "the stream has stalled"))
    case .failed(let error): error
    }
  }
}

extension CallError {
  fileprivate func disconnectReason(wasConnected: Bool) -> DisconnectReason? {
    switch self {
    case .rateLimited: return .rateLimit
    case .api(let error):
      switch error.status.code {
      case 500..., 408, 425: return .httpError
      default: return nil
      }
    case .transport(let error), .mayHaveSucceeded(let error):
      switch error.kind {
      case .invalidRequest, .bodySource, .cancelled: return nil
      // A certificate that was good has been exchanged, or somebody is in between; it may pass.
      case .tls: return wasConnected ? .network : nil
      default: return .network
      }
    case .authorization, .decoding, .unexpectedContent, .cancelled, .invalidCall: return nil
    }
  }

  /// How long the API asks to wait, if it does: by `Retry-After`, or by the reset of a limit that is used up. X refuses
  /// one connection too many with 429 as well, and then the limit beside it has nothing to do with it.
  func resetWait(at now: Date) -> Duration? {
    let asked = answer.flatMap { RetryAfter.delay($0.headers, now: now) }
    guard case .rateLimited(let limit?, _) = self,
      let reset = limit.exhausted?.reset ?? (limit.remaining == nil ? limit.reset : nil)
    else { return asked }
    return max(asked ?? .zero, Duration(bounded: reset.timeIntervalSince(now)))
  }
}
