import Callsign
import CallsignHTTP
import CallsignSupport

/// The places that this process holds for each limit, and the calls that wait for more. A place is the right to one call.
struct LimitPlaces {
  typealias Instant = ContinuousClock.Instant

  struct Place {
    /// Places taken in advance and not used yet.
    var slots = 0
    /// When others may take these places.
    var slotsEnd = Instant.now
    /// Calls that were admitted and have not ended.
    var underway = 0
    /// The number of places that this process holds according to the database; `nil` if the database could not be asked.
    var counted: Int? = 0
    /// The API does not state such a limit, or has not lately. Until this time, no places are needed.
    var silentUntil: Instant?
    /// No call is admitted before ``Exhaustion/end``.
    var exhaustion: Exhaustion?
    /// Waiting calls, in order of arrival.
    var waiters: [LimitWaiter] = []
    /// How many places are worth taking at once.
    var appetite = 1
    var pause = Duration.milliseconds(20)
    var report = LimitReport.none
    var lastUse = Instant.now
    var lastGrant: Instant?
    /// Whether a single call in progress is finding out what a new window allows.
    var isProbing = false
    /// When to confirm to the database that the places are still held.
    var renewAt = Instant.now
    /// When to ask the database for places, and when to report to it.
    var askAt: Instant?
    var tellAt: Instant?
    var isUnderQuestion = false
    /// The fewest remaining calls in any response since the last request to the database; `nil` if no response stated any.
    var leftSinceQuestion: Int?
    /// Whether another server has reported something since the last request to the database.
    var hasNews = false

    var due: Instant? { [askAt, tellAt].compactMap { $0 }.min() }
    /// The number of places that the database must count. It is zero for a limit that the API does not state: the ends of such
    /// calls are not reported.
    func held(_ now: Instant) -> Int { silentUntil.map { $0 > now } ?? false ? 0 : slots + underway }
    var isIdle: Bool {
      slots == 0 && underway == 0 && waiters.isEmpty && report == .none && due == nil && !isUnderQuestion
    }
  }

  struct Exhaustion {
    let window: RateLimit.Window
    let end: Date
    /// Whether the API has said so.
    let isStated: Bool
  }

  let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  enum Schedule { case nothing, now, later(Instant, number: Int) }

  var counts = PostgresRateLimitStore.Counts()
  private var places: [RateLimitKey: Place] = [:]
  private var names: [String: RateLimitKey] = [:]
  private var dues: [RateLimitKey: Instant] = [:]
  private var isRunning = false
  private var alarm: (time: Instant, number: Int)?
  private var alarms = 0
  /// The database could not be asked. It is not asked again before this time.
  private var downUntil: Instant?

  /// How long a place can be unused before it is returned.
  private static let idleTime = Duration.seconds(1)
  /// Within which time responses are reported to the database.
  private static let tellingTime = Duration.milliseconds(500)
  private static let capacity = 8192

  private mutating func change(_ key: RateLimitKey, _ body: (inout Place) -> Void) {
    var place = places[key] ?? Place()
    if places[key] == nil { names[key.text] = key }
    body(&place)
    dues[key] = place.due
    places[key] = place
  }

  private mutating func forgetIdle() {
    guard places.count > Self.capacity else { return }
    let now = time.now()
    for (key, place) in places where place.isIdle && place.exhaustion.map({ $0.end <= now }) ?? true {
      places[key] = nil
      names[key.text] = nil
      dues[key] = nil
    }
  }
}

// Calls.
extension LimitPlaces {
  private enum Standing {
    case open
    case exhausted(Exhaustion)
    case unknown
  }

  private func standing(_ key: RateLimitKey, _ now: Instant, _ date: Date) -> Standing {
    guard let place = places[key] else { return .unknown }
    if let exhaustion = place.exhaustion, exhaustion.end > date { return .exhausted(exhaustion) }
    if place.slots > 0, place.slotsEnd > now { return .open }
    if let until = place.silentUntil, until > now { return .open }
    return .unknown
  }

  /// The result for a new call; `nil` if it must wait.
  mutating func begin(_ waiter: LimitWaiter, _ batch: Int) -> LimitWaiter.Outcome? {
    let (now, date) = (Instant.now, time.now())
    if let downUntil, downUntil > now { return .unavailable }
    for key in waiter.keys where places[key]?.waiters.isEmpty == false { return line(waiter, up: key, now) }
    return proceed(waiter, now, date, batch)
  }

  /// Admits a call, rejects it, or finds the limit that it must wait for.
  private mutating func proceed(
    _ waiter: LimitWaiter, _ now: Instant, _ date: Date, _ batch: Int
  ) -> LimitWaiter.Outcome? {
    var missing: RateLimitKey?
    for key in waiter.keys {
      switch standing(key, now, date) {
      case .open: continue
      case .exhausted(let exhaustion):
        if let refusal = Self.refusal(of: key, exhaustion, to: waiter) { return .admission(refusal) }
        if waiter.deadline != nil, missing == nil { missing = key }
      case .unknown: if missing == nil { missing = key }
      }
    }
    if let missing { return line(waiter, up: missing, now) }
    enter(waiter.keys, now, batch)
    return .admission(.admitted)
  }

  private static func refusal(
    of key: RateLimitKey, _ exhaustion: Exhaustion, to waiter: LimitWaiter
  ) -> RateLimitAdmission? {
    let isRefused = waiter.deadline.map { exhaustion.end > $0 } ?? exhaustion.isStated
    return isRefused ? .exhausted(key, exhaustion.window, until: exhaustion.end) : nil
  }

  private mutating func line(_ waiter: LimitWaiter, up key: RateLimitKey, _ now: Instant) -> LimitWaiter.Outcome? {
    let date = time.now()
    change(key) { place in
      place.waiters.append(waiter)
      if let end = place.exhaustion?.end, end > date {
        let wait = Duration(bounded: end.timeIntervalSince(date)) + .milliseconds(Int.random(in: 1...40))
        place.askAt = min(place.askAt ?? now + wait, now + wait)
      } else if place.askAt == nil, !place.isUnderQuestion {
        place.askAt = now
      }
    }
    return nil
  }

  private mutating func enter(_ keys: [RateLimitKey], _ now: Instant, _ batch: Int) {
    counts.admitted += 1
    for key in keys {
      change(key) { place in
        place.underway += 1
        place.lastUse = now
        guard place.slotsEnd > now else { return place.slots = 0 }
        guard place.slots > 0 else { return }
        place.slots -= 1
        // If many places are in use, asks for more before the last one is used.
        if place.slots == place.appetite / 4, place.appetite >= 4, place.askAt == nil, !place.isUnderQuestion {
          place.askAt = now
        }
      }
    }
  }

  /// A call starts that was admitted without the database. It is held like the others but uses none of the places.
  mutating func enterUnshared(_ keys: [RateLimitKey]) {
    let now = Instant.now
    for key in keys {
      change(key) { place in
        place.underway += 1
        place.lastUse = now
        place.tellAt = place.tellAt ?? now + LimitPlaces.tellingTime
      }
    }
  }

  /// Handles the end of a call.
  mutating func settle(_ keys: [RateLimitKey], _ report: RateLimitReport) {
    let (now, date) = (Instant.now, time.now())
    for key in keys {
      let news = LimitReport(report, key, keys, date)
      change(key) { place in
        place.underway = max(0, place.underway - 1)
        let isKnown = place.silentUntil.map { $0 > now } ?? false
        // There is nothing new, and nothing is held that the database counts.
        if isKnown, news == .silent || news == .none { return }
        place.report.merge(news, now: date)
        defer { place.isProbing = false }
        var isUrgent = !place.waiters.isEmpty || place.isProbing
        switch news {
        case .refused:
          isUrgent = true
          place.slots = 0
          place.silentUntil = nil
          place.leftSinceQuestion = 0
        case .stated(let limit, let remaining, let reset):
          if place.silentUntil != nil { isUrgent = true }
          place.silentUntil = nil
          place.slots = min(place.slots, max(0, remaining))
          // A response about a window that has ended does not concern the next one.
          if reset > date { place.leftSinceQuestion = min(place.leftSinceQuestion ?? .max, max(0, remaining)) }
          if remaining <= 0, reset > date {
            place.exhaustion = Exhaustion(
              window: RateLimit.Window(limit: limit, remaining: 0, reset: reset), end: reset, isStated: true)
          }
        case .none, .silent, .noResponse: break
        }
        let time = isUrgent ? now : now + LimitPlaces.tellingTime
        place.tellAt = min(place.tellAt ?? time, time)
        // A report to the database may free places for the calls that wait here.
        if !place.waiters.isEmpty, place.exhaustion == nil { place.askAt = now }
      }
    }
  }

  mutating func remove(_ waiter: LimitWaiter) {
    for key in waiter.keys where places[key]?.waiters.contains(where: { $0 === waiter }) == true {
      change(key) { place in place.waiters.removeAll { $0 === waiter } }
    }
  }

  /// Admits the calls that wait for a limit, as far as there are places.
  private mutating func serve(_ key: RateLimitKey, _ batch: Int, isTaken: Bool) {
    let (now, date) = (Instant.now, time.now())
    while let waiter = places[key]?.waiters.first {
      if case .unknown = standing(key, now, date) {
        guard isTaken else { return }
        // Other servers hold the places. Calls that do not wait continue without one.
        guard let impatient = places[key]?.waiters.first(where: { $0.isImpatient(now, date) }) else { return }
        change(key) { place in place.waiters.removeAll { $0 === impatient } }
        if impatient.deadline == nil {
          if impatient.outcome.end(with: .admission(.admitted)) { enter(impatient.keys, now, batch) }
        } else {
          impatient.outcome.end(
            with: .admission(.exhausted(key, RateLimit.Window(), until: date.addingTimeInterval(1))))
        }
        continue
      }
      if case .exhausted = standing(key, now, date) {
        let all = places[key]?.waiters ?? []
        change(key) { place in place.waiters = [] }
        for waiter in all {
          if let outcome = proceed(waiter, now, date, batch) { finish(waiter, outcome) }
        }
        return
      }
      change(key) { place in place.waiters.removeFirst() }
      if let outcome = proceed(waiter, now, date, batch) { finish(waiter, outcome) }
    }
  }

  private mutating func finish(_ waiter: LimitWaiter, _ outcome: LimitWaiter.Outcome) {
    guard !waiter.outcome.end(with: outcome), case .admission(.admitted) = outcome else { return }
    // It was cancelled in the meantime.
    counts.admitted -= 1
    for key in waiter.keys {
      change(key) { place in
        place.underway = max(0, place.underway - 1)
        place.slots += place.silentUntil == nil ? 1 : 0
        place.tellAt = place.tellAt ?? .now + LimitPlaces.tellingTime
      }
    }
  }
}

extension LimitReport {
  fileprivate init(_ report: RateLimitReport, _ key: RateLimitKey, _ keys: [RateLimitKey], _ now: Date) {
    func stated(_ window: RateLimit.Window?) -> LimitReport {
      guard let window, let remaining = window.remaining, let reset = window.reset else { return .silent }
      return .stated(limit: window.limit, remaining: remaining, reset: reset)
    }
    switch report {
    case .noResponse: self = .noResponse
    case .responded(let windows): self = stated(windows[key])
    case .refused(let windows, let retryAfter):
      guard report.isRefused(key, of: keys) else {
        self = stated(windows[key])
        return
      }
      let asked = retryAfter.map { now.addingTimeInterval($0.seconds) }
      let window = windows[key]
      // If calls are left, the refusal has another reason, and the window's end is unrelated.
      let ending = window?.remaining ?? 0 <= 0 ? window?.reset : nil
      self = .refused(limit: window?.limit, until: [asked, ending].compactMap { $0 }.filter { $0 > now }.max())
    }
  }
}

// Requests to the database.
extension LimitPlaces {
  /// Decides when to ask the database next. With `now`, the caller does it, and nobody else.
  mutating func schedule() -> Schedule {
    guard !isRunning, let next = dues.values.min() else { return .nothing }
    let time = max(next, downUntil ?? next)
    if time <= .now {
      isRunning = true
      alarm = nil
      return .now
    }
    if let alarm, alarm.time <= time { return .nothing }
    alarms += 1
    alarm = (time, alarms)
    return .later(time, number: alarms)
  }

  mutating func alarmRings(_ number: Int) -> Bool {
    guard alarm?.number == number else { return false }
    alarm = nil
    return true
  }

  /// The work that is due now; `nil` if there is none. In that case, nobody asks any more.
  mutating func collect(_ batch: Int) -> LimitRound? {
    let (now, date) = (Instant.now, time.now())
    isRunning = true
    var entries: [LimitRound.Entry] = []
    if downUntil.map({ $0 <= now }) ?? true {
      // Every server locks them in the same order.
      let keys = dues.filter { $0.value <= now }.keys.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      for key in keys.prefix(64) {
        change(key) { place in
          if place.slotsEnd <= now || place.waiters.isEmpty && now - place.lastUse > LimitPlaces.idleTime {
            place.slots = 0
          }
          if place.askAt.map({ $0 > now }) ?? true, place.report == .none, place.slots > 0, place.renewAt > now,
            place.counted == place.held(now)
          {
            // Still in use, with nothing to report.
            place.tellAt = min(place.renewAt, max(now + .milliseconds(100), place.lastUse + LimitPlaces.idleTime))
            return
          }
          var wanted = 0
          if let askAt = place.askAt, askAt <= now {
            let isPrefetch = place.waiters.isEmpty && now - place.lastUse < LimitPlaces.idleTime && place.appetite >= 4
            if !place.waiters.isEmpty || isPrefetch {
              if let last = place.lastGrant, now - last < .seconds(1) {
                place.appetite = min(batch, place.appetite * 2)
              } else if let last = place.lastGrant, now - last > .seconds(10) {
                place.appetite = max(1, place.appetite / 2)
              }
              wanted = max(1, min(batch, max(place.appetite, place.waiters.count)))
            }
            place.askAt = nil
          }
          entries.append(
            LimitRound.Entry(key: key, held: place.held(now), wanted: wanted, report: place.report))
          place.report = .none
          place.tellAt = nil
          place.isUnderQuestion = true
          place.leftSinceQuestion = nil
          place.hasNews = false
          if let exhaustion = place.exhaustion, exhaustion.end <= date { place.exhaustion = nil }
        }
      }
    }
    guard !entries.isEmpty else {
      isRunning = false
      forgetIdle()
      return nil
    }
    counts.requests += 1
    return LimitRound(entries: entries, start: now)
  }

  mutating func apply(_ rows: [PostgresRow], to round: LimitRound, lifetime: Duration, batch: Int) {
    downUntil = nil
    let (now, date) = (Instant.now, time.now())
    for entry in round.entries {
      change(entry.key) { place in
        place.isUnderQuestion = false
        place.counted = entry.held
      }
    }
    for row in rows {
      guard let name = row.text(0), let key = names[name] else { continue }
      let seconds = row.double(5)
      let state = row.text(1) ?? ""
      // An API response that arrived after the request and left no calls is newer than the database's answer.
      let isOvertaken = places[key]?.leftSinceQuestion == 0
      change(key) { place in
        let granted = row.int(2) ?? 0
        place.counted = place.counted.map { $0 + granted }
        // Counted from before the request, with a margin: others must not consider it free earlier.
        place.slotsEnd = round.start + lifetime * 0.8
        place.renewAt = round.start + lifetime * 0.5
        if isOvertaken { return }
        place.slots = min(place.slots + granted, place.leftSinceQuestion ?? .max)
        switch state {
        case "granted":
          place.lastGrant = now
          place.isProbing = row.int(4) == nil
          place.pause = .milliseconds(20)
          place.exhaustion = nil
          place.silentUntil = nil
        case "silent" where place.leftSinceQuestion == nil: place.silentUntil = now + .seconds(min(seconds ?? 1, 30))
        case "exhausted":
          place.slots = 0
          // This may no longer be true.
          if place.hasNews { return place.askAt = now }
          let end = date.addingTimeInterval(max(0.01, seconds ?? 1))
          place.exhaustion = Exhaustion(
            window: RateLimit.Window(limit: row.int(3), remaining: 0, reset: end), end: end, isStated: row.bool(6))
        case "taken":
          place.askAt = now + place.pause * Double.random(in: 0.7...1.3)
          place.pause = min(place.pause * 2, .milliseconds(500))
        default: break
        }
      }
      serve(key, batch, isTaken: state == "taken" && !isOvertaken)
      change(key) { place in
        if place.waiters.isEmpty {
          if state == "taken" { place.askAt = nil }
        } else if place.askAt == nil {
          let end = place.exhaustion.map { Duration(bounded: $0.end.timeIntervalSince(date)) + .milliseconds(5) }
          place.askAt = now + max(.zero, end ?? .zero)
        }
        guard place.tellAt == nil else { return }
        if place.counted != place.held(now) {
          place.tellAt = now + LimitPlaces.tellingTime
        } else if place.slots > 0 || place.underway > 0, place.silentUntil == nil {
          // Unused places are returned. Places of long calls are kept.
          place.tellAt = place.slots > 0 ? now + LimitPlaces.idleTime : place.renewAt
        }
      }
    }
  }

  /// The database could not be asked. Unsent reports are kept, and waiting calls continue without it.
  ///
  /// - Returns: Whether this is a new failure.
  mutating func fail(_ round: LimitRound) -> Bool {
    let (now, date) = (Instant.now, time.now())
    let isNews = downUntil == nil
    downUntil = now + .seconds(1)
    for entry in round.entries {
      change(entry.key) { place in
        var report = entry.report
        report.merge(place.report, now: date)
        place.report = report
        place.isUnderQuestion = false
        place.counted = nil
        place.tellAt = now + .seconds(1)
      }
    }
    for (key, place) in places where !place.waiters.isEmpty {
      change(key) { place in
        place.waiters = []
        place.askAt = nil
      }
      for waiter in place.waiters { waiter.outcome.end(with: .unavailable) }
    }
    return isNews
  }
}

// Notifications.
extension LimitPlaces {
  /// Another server has returned places, or has news.
  mutating func placesMayBeFree(_ name: String) -> Bool {
    guard let key = names[name], let place = places[key], !place.waiters.isEmpty else { return false }
    change(key) { place in
      // The answer may have been produced before that.
      if place.isUnderQuestion { place.hasNews = true } else { place.askAt = .now }
    }
    return !place.isUnderQuestion
  }

  /// Another server waits for places, and this process has some.
  mutating func placesAreWanted(_ name: String) -> Bool {
    guard let key = names[name], let place = places[key], place.slots > 0 || place.report != .none else { return false }
    let now = Instant.now
    change(key) { place in
      let isBusy = now - place.lastUse < .milliseconds(100)
      if place.waiters.isEmpty { place.slots = isBusy ? place.slots / 2 : 0 }
      place.appetite = max(1, place.appetite / 2)
      place.tellAt = now
    }
    return true
  }

  mutating func askAgain() -> Bool {
    let now = Instant.now
    for (key, place) in places where !place.waiters.isEmpty { change(key) { $0.askAt = now } }
    return true
  }

  /// Returns unused places, including those from a pending answer.
  ///
  /// - Returns: Whether there is still something to report to the database.
  mutating func giveBackAll() -> Bool {
    let now = Instant.now
    for key in places.keys {
      change(key) { place in
        place.slots = 0
        if place.report != .none || place.counted != place.held(now) { place.tellAt = now }
      }
    }
    return isRunning || places.values.contains { $0.isUnderQuestion } || dues.values.contains { $0 <= now }
  }
}
