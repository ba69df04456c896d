import CallsignHTTP
import Foundation
import Testing

@testable import CallsignAuth

@Suite("A process's knowledge of a token") struct TokenCacheTests {
  private typealias State = TokenCache.State
  private typealias Event = TokenCache.Event

  private static func version(_ text: String) -> TokenVersion { TokenVersion(rawValue: text) }

  private static func token(_ name: String, version: String? = nil, isRefused: Bool = false) -> CachedToken {
    var token = StoredToken(kind: .oauth2, accessToken: Secret(name), refreshToken: Secret("refresh \(name)"))
    if isRefused { token.refused = token.renewableSecret }
    return CachedToken(token, lifetime: nil, version: version.map { Self.version($0) })
  }

  /// The initial states for each event, all with the same token.
  private static let states: [State] = [
    .empty, .current(token("a", version: "1")), .outdated(token("a", version: "1")),
    .unsaved(token("a", version: "1"), over: .matching(.absent)),
  ]

  /// For each event, the resulting states; `nil` if the state stays unchanged.
  private static let table: [(name: String, event: Event, next: [State?])] = {
    let (a2, b, refused) = (
      token("a", version: "2"), token("b", version: "2"), token("a", version: "2", isRefused: true)
    )
    let later = Date(timeIntervalSinceReferenceDate: 900_000_000)
    let postponed = token("a", version: "1").renewed(at: later)
    return [
      ("read a token", .read(b), [.current(b), nil, .current(b), nil]),
      ("read none", .read(nil), [nil, nil, .empty, nil]),
      ("announced another", .announced(version("2")), [nil, .outdated(token("a", version: "1")), nil, nil]),
      ("announced the same", .announced(version("1")), [nil, nil, nil, nil]),
      ("announced something", .announced(nil), [nil, .outdated(token("a", version: "1")), nil, nil]),
      ("adopted another", .adopted(b), [.current(b), .current(b), .current(b), .current(b)]),
      ("adopted the same", .adopted(a2), [.current(a2), .current(a2), .current(a2), .current(a2)]),
      (
        "issued, to be saved", .issued(b, over: .matching(.any)),
        Array(repeating: .unsaved(b, over: .matching(.any)), count: 4)
      ),
      ("issued, for memory", .issued(b, over: nil), Array(repeating: .current(b), count: 4)),
      ("saved", .saved(version("2")), [nil, .current(a2), .outdated(a2), .current(a2)]),
      ("noted as refused", .noted(refused.token, version("2")), [nil, .current(refused), .outdated(refused), nil]),
      ("noted of another", .noted(b.token, version("2")), [nil, nil, nil, nil]),
      ("accepted", .accepted, [nil, nil, nil, nil]),
      ("postponed", .postponed(later), [nil, .current(postponed), .outdated(postponed), nil]),
      ("gone", .gone, [nil, .empty, .empty, .empty]),
    ]
  }()

  @Test("Each event leads from each state to the one in the table", arguments: 0..<table.count)
  func transitions(_ row: Int) {
    let (name, event, next) = Self.table[row]
    #expect(next.count == Self.states.count)
    for (state, expected) in zip(Self.states, next) {
      #expect(TokenCache.next(state, event) == expected ?? state, "\(name)")
    }
  }

  @Test("A token that is accepted after all is no longer refused, in any state")
  func accepted() {
    let (refused, accepted) = (Self.token("a", isRefused: true), Self.token("a"))
    #expect(TokenCache.next(.current(refused), .accepted) == .current(accepted))
    #expect(TokenCache.next(.outdated(refused), .accepted) == .outdated(accepted))
    #expect(
      TokenCache.next(.unsaved(refused, over: .matching(.any)), .accepted) == .unsaved(accepted, over: .matching(.any)))
  }

  @Test("An operation that a login or logout has overtaken changes nothing, at its start and at its end")
  func overtaken() {
    let b = Self.token("b")
    for event in [Event.issued(b, over: .matching(.any)), .adopted(b), .saved(Self.version("9")), .gone] {
      var cache = TokenCache()
      let first = cache.look
      let isFirst = cache.apply(.issued(Self.token("a"), over: nil), since: first)
      #expect(isFirst)
      cache.beginLogin()
      let isAppliedAtBeginning = cache.apply(event, since: first)
      #expect(!isAppliedAtBeginning)
      #expect(!cache.hasLoggedInOrOut(since: first))
      let second = cache.look
      cache.endLogin(.issued(Self.token("c"), over: nil))
      let isAppliedAtEnd = cache.apply(event, since: second)
      #expect(!isAppliedAtEnd)
      #expect(cache.hasLoggedInOrOut(since: second))
      #expect(cache.state == .current(Self.token("c")))
    }
  }

  @Test("A token read while another was announced is read again; after its own announcement it is not")
  func announcedWhileReading() {
    for (announced, mustBeRead) in [(Self.version("2"), true), (Self.version("1"), false), (nil, true)] {
      var cache = TokenCache()
      let look = cache.look
      cache.announce(announced)
      let loaded = VersionedToken(Self.token("a").token, version: Self.version("1"))
      let isRead = cache.read(loaded, since: look)
      #expect(isRead)
      #expect(cache.state.mustBeRead == mustBeRead)
    }
  }

  @Test("A token that was adopted or saved is read again if another was announced since the look")
  func announcedMeanwhile() {
    let a = Self.token("a", version: "1")
    let steps: [(start: Event, event: Event)] = [
      (.issued(a, over: nil), .adopted(a)), (.issued(a, over: .matching(.absent)), .saved(Self.version("1"))),
    ]
    for (announced, mustBeRead) in [(Self.version("2"), true), (Self.version("1"), false), (nil, true)] {
      for (start, event) in steps {
        var cache = TokenCache()
        let first = cache.look
        _ = cache.apply(start, since: first)
        let look = cache.look
        cache.announce(announced)
        let isApplied = cache.apply(event, since: look)
        #expect(isApplied)
        #expect(cache.state.mustBeRead == mustBeRead, "\(event)")
      }
    }
  }

  @Test("A login that has only begun does not keep the stored token from being read; one that has ended does")
  func readDuringLogin() {
    var cache = TokenCache()
    let look = cache.look
    cache.beginLogin()
    let loaded = VersionedToken(Self.token("a").token, version: Self.version("1"))
    let isRead = cache.read(loaded, since: look)
    #expect(isRead && cache.token?.accessToken == "a")
    cache.endLogin(.gone)
    let isReadAfterwards = cache.read(loaded, since: look)
    #expect(!isReadAfterwards && cache.state == .empty)
  }

  @Test("A token that was issued while a login was beginning is kept until the login ends")
  func keptDuringLogin() {
    var cache = TokenCache()
    let look = cache.look
    cache.beginLogin()
    let (a, b) = (Self.token("a"), Self.token("b"))
    let isKept = cache.keep(a, over: .matching(.absent), since: look)
    #expect(isKept && cache.state == .unsaved(a, over: .matching(.absent)))
    cache.endLogin(.issued(b, over: nil))
    let isKeptAfterwards = cache.keep(a, over: .matching(.absent), since: look)
    #expect(!isKeptAfterwards && cache.state == .current(b))
  }

  @Test("A login replaces the login before, even if that was refreshed, but no other, and no logout")
  func replaceable() {
    var old = Self.token("a").token
    old.login = "old"
    var other = old
    other.login = "other"
    let replaceable = TokenCache.Replaceable.ofLogin("old")
    #expect(replaceable.precondition(over: VersionedToken(old, version: Self.version("7"))) == .any)
    #expect(replaceable.precondition(over: VersionedToken(other, version: Self.version("7"))) == nil)
    #expect(replaceable.precondition(over: nil) == nil)
    #expect(TokenCache.Replaceable.matching(.absent).precondition(over: nil) == .absent)
  }

  @Test("A token that is only in memory serves no call, and a read of the store does not replace it")
  func unsaved() {
    var cache = TokenCache()
    let look = cache.look
    _ = cache.apply(.issued(Self.token("a"), over: .matching(.absent)), since: look)
    #expect(cache.usable(Date()) == nil && cache.unsaved != nil)
    let isRead = cache.read(VersionedToken(Self.token("b").token, version: Self.version("1")), since: look)
    #expect(!isRead)
    let isSaved = cache.apply(.saved(Self.version("1")), since: look)
    #expect(isSaved)
    #expect(cache.usable(Date())?.accessToken == "a" && cache.unsaved == nil)
  }

  @Test("A refusal is remembered until the token is accepted, another comes, or somebody logs in")
  func spent() {
    var cache = TokenCache()
    let (a, b) = (Self.token("a").token, Self.token("b").token)
    cache.noteSpent(a)
    #expect(cache.isOver(a) && !cache.isOver(b))
    cache.noteAccepted(b)
    #expect(cache.isOver(a))
    cache.noteAccepted(a)
    #expect(!cache.isOver(a))
    cache.noteSpent(a)
    cache.endLogin(.gone)
    #expect(!cache.isOver(a))
    #expect(cache.isOver(Self.token("c", isRefused: true).token))
  }
}
