import Foundation

/// An action of a process with the token of an account. The process reports it at once, on a separate line, so that nothing is lost
/// when it is killed.
struct TokenEvent: Sendable {
  enum Kind: Character {
    /// It has the lease.
    case begin = "+"
    /// It has announced a request, and is about to send it: from now on it may get a response of the provider's.
    case ask = "?"
    /// It has stored everything that it received, and returns the lease.
    case end = "-"
    /// It has stored a token that replaces one which was due, or one which was not.
    case store = "="
    case storeEarly = "<"
    /// It has noted that the token is refused, or is accepted after all.
    case note = "#"
    /// It was too late with a token: another process had the lease.
    case late = "x"
    /// The database did not take a token, so the token is only in the process's memory.
    case fail = "!"
    /// A request for a token broke off. No account is named.
    case broken = "~"
  }

  let kind: Kind
  let account: String
  /// By the machine's clock, in seconds since 1970.
  let time: Double

  init(_ kind: Kind, _ account: String) {
    (self.kind, self.account, time) = (kind, account, Date().timeIntervalSince1970)
  }

  init?(_ line: Data) {
    let parts = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = parts[0].first.flatMap(Kind.init(rawValue:)), let time = Double(parts[1])
    else { return nil }
    (self.kind, account, self.time) = (kind, String(parts[0].dropFirst()), time)
  }

  var line: String { "\(kind.rawValue)\(account) \(time)\n" }

  var words: String {
    switch kind {
    case .begin: "takes the lease"
    case .ask: "announces its request"
    case .end: "gives the lease back"
    case .store, .storeEarly: "stores the next token"
    case .note: "notes whether the token is refused"
    case .late: "comes too late, for the lease is another's"
    case .fail: "cannot store the next token"
    case .broken: "loses a connection to the provider"
    }
  }
}

/// The tokens that a process has held.
struct TokenAccount: Sendable {
  /// Accounts for which it may have a response that is not stored.
  private(set) var held: Set<String> = []
  private(set) var stored = 0
  private(set) var early = 0
  /// Accounts whose token the database did not take at first.
  private(set) var delayed: Set<String> = []
  /// Everything by account; events without an account are under an empty name.
  private(set) var events: [String: [TokenEvent]] = [:]
  var isComplete = false

  mutating func note(_ event: TokenEvent) {
    events[event.account, default: []].append(event)
    switch event.kind {
    case .begin: held.insert(event.account)
    case .end: held.remove(event.account)
    case .fail: delayed.insert(event.account)
    case .store, .storeEarly:
      stored += 1
      if event.kind == .storeEarly { early += 1 }
    case .ask, .note, .late, .broken: break
    }
  }
}
