/// The events of the processes and the database of a run. It must explain each lost login and each spent token that was
/// sent; otherwise the run fails. Times are in seconds since 1970, by the machine's clock.
struct FleetHistory {
  /// One process.
  struct Record {
    var tokens: TokenAccount
    var killed: Double?
    var stops: [ClosedRange<Double>]
  }

  /// The processes by the provider's name for each.
  var processes: [String: Record]
  /// When the database was restarted or failed over.
  var outages: [ClosedRange<Double>]
  /// When servers were cut off from the provider.
  var partitions: [ClosedRange<Double>] = []
  /// The beginning of the run.
  var start: Double
  /// How long others wait for the response to a request that was announced, in seconds.
  var patience: Double

  /// The greatest distance between two processes' lines that say the same.
  private static let blur = 0.05

  /// The cause of a lost login whose last refresh went to a process; `nil` if there is none.
  func causeOfLoss(_ account: String, _ grant: SandboxLine.Grant) -> String? {
    guard let record = processes[grant.process] else { return nil }
    if let killed = record.killed, let asked = unstored(account, record, grant) {
      return """
        \(grant.process) asked at \(time(asked)), the provider responded at \(time(grant.time)), and the process was killed at \
        \(time(killed)) before it had stored the response
        """
    }
    if let broken = broken(record, from: grant.time, to: .infinity),
      partitions.contains(where: { $0.upperBound >= grant.time && $0.lowerBound <= broken })
    {
      return """
        \(grant.process) was cut off from the provider, which had responded at \(time(grant.time)); the connection broke at \
        \(time(broken))
        """
    }
    return nil
  }

  /// The reason why a process has sent a spent token; `nil` if there is none.
  func causeOfReuse(_ account: String, _ reuse: SandboxLine.Reuse) -> String? {
    let (attempt, use) = (reuse.attempt, reuse.use)
    guard let sender = processes[attempt.process], let user = processes[use.process] else { return nil }
    if let cause = causeOfLoss(account, use) { return "the response is lost: \(cause)" }
    if attempt.process == use.process {
      guard let broken = broken(sender, from: use.time, to: attempt.time) else { return nil }
      return "its own connection to the provider broke at \(time(broken)), and it asked once more"
    }
    let asked = sender.tokens.events[account]?.last { $0.kind == .ask && $0.time <= attempt.time + Self.blur }?.time
    if let asked, let stop = sender.stops.last(where: { $0.upperBound >= asked && $0.lowerBound <= attempt.time }) {
      return """
        \(attempt.process) was stopped from \(time(stop.lowerBound)) to \(time(stop.upperBound)), after it had announced its \
        request at \(time(asked))
        """
    }
    let before = user.tokens.events[account]?.last { $0.kind == .ask && $0.time <= use.time + Self.blur }?.time
    if let asked, let before, asked - before >= patience {
      return """
        \(use.process) announced its request at \(time(before)) and had stored no response \(Int(asked - before)) s later, \
        longer than others wait
        """
    }
    if let failed = user.tokens.events[account]?.first(where: {
      $0.kind == .fail && $0.time >= use.time - Self.blur && $0.time <= attempt.time + Self.blur
    }) {
      return "the database did not take the response of \(use.process) at \(time(failed.time))"
    }
    if let outage = outages.first(where: { $0.upperBound >= use.time && $0.lowerBound <= attempt.time }) {
      return """
        the database was away from \(time(outage.lowerBound)), and \(use.process) could not store the response of \
        \(time(use.time))
        """
    }
    return nil
  }

  /// The reason why a process replaced a token before its time; `nil` if there is none.
  func causeOfEarliness(_ account: String, _ event: TokenEvent) -> String? {
    let events = processes.values.flatMap { $0.tokens.events[account] ?? [] }.sorted { $0.time < $1.time }
    guard
      let stored = events.last(where: { ($0.kind == .store || $0.kind == .storeEarly) && $0.time < event.time }),
      let asked = events.last(where: { $0.kind == .ask && $0.time < stored.time }), stored.time - asked.time > 2
    else { return nil }
    return """
      the one before was asked for at \(time(asked.time)) and stored at \(time(stored.time)), so that the database had a \
      later end for it than the provider
      """
  }

  /// The lease's history of an account around a time, a line for each event.
  func lines(_ account: String, around moment: Double) -> [String] {
    var lines: [(time: Double, text: String)] = []
    for (name, record) in processes {
      for event in record.tokens.events[account] ?? [] { lines.append((event.time, "\(name) \(event.words)")) }
      if let killed = record.killed { lines.append((killed, "\(name) is killed")) }
      for stop in record.stops {
        lines.append((stop.lowerBound, "\(name) is stopped"))
        lines.append((stop.upperBound, "\(name) goes on"))
      }
    }
    for outage in outages {
      lines.append((outage.lowerBound, "the database goes"))
      lines.append((outage.upperBound, "the database is back"))
    }
    let near = lines.filter { abs($0.time - moment) < 30 }.sorted { $0.time < $1.time }
    return near.suffix(60).map { "\(time($0.time)) \($0.text)" }
  }

  /// When a process announced the request of a refresh whose response it has not stored.
  private func unstored(_ account: String, _ record: Record, _ grant: SandboxLine.Grant) -> Double? {
    let events = record.tokens.events[account] ?? []
    guard let index = events.lastIndex(where: { $0.kind == .ask && $0.time <= grant.time + Self.blur }) else {
      return nil
    }
    let isStored = events[index...].contains { $0.kind == .store || $0.kind == .storeEarly }
    return isStored ? nil : events[index].time
  }

  /// When the connection of a process broke in a span.
  private func broken(_ record: Record, from start: Double, to end: Double) -> Double? {
    record.tokens.events[""]?.first {
      $0.kind == .broken && $0.time >= start - Self.blur && $0.time <= end + Self.blur
    }?.time
  }

  /// In seconds since the beginning of the run.
  func time(_ time: Double) -> String {
    let hundredths = Int(((time - start) * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(abs(hundredths % 100)) s"
  }
}
