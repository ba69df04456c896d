import Callsign
import CallsignHTTP
import CallsignSupport
import Dispatch

/// The logins that this process has completed, so that none of them is completed again from a copy.
enum CompletedLogins {
  private static let ends = Locked<[String: Date]>([:])

  /// Notes a login; whether it was not known.
  static func insert(_ id: String, begun: Date, now: Date) -> Bool {
    ends.withLock { ends in
      if ends.count > 1000 { ends = ends.filter { $0.value > now } }
      guard ends[id] == nil else { return false }
      ends[id] = begun + PendingLogin.lifetime
      return true
    }
  }

  /// Lets a login be completed after all, because nothing has reached the provider.
  static func remove(_ id: String) { ends.withLock { $0[id] = nil } }
}
