import CallsignFoundation
import CallsignHTTP
import HTTPTypes

/// Answers within a bound of bytes. What was not used for longest goes first, at a cost that does not grow with what is
/// kept.
final class CacheStorage: Sendable {
  /// An answer's place: what was asked for, by whom, and the values of the fields on which the answer depends.
  fileprivate struct Place: Hashable {
    var key: CacheKey
    var asker: CacheAsker
    var variation: [CacheVariation]

    init(_ key: CacheKey, of headers: HTTPFields, varyingBy names: [HTTPField.Name]) {
      self.key = key
      asker = CacheAsker(headers)
      variation = names.map { CacheVariation($0, headers) }
    }

    init(_ key: CacheKey, of entry: CacheEntry) {
      self.key = key
      asker = entry.asker
      variation = entry.variation
    }
  }

  /// A link of the chain from what was used last to what was not used for longest.
  fileprivate struct Link {
    var place: Place
    var entry: CacheEntry
    var newer: Int?
    var older: Int?
  }

  fileprivate struct State {
    /// The fields that tell a key's answers apart, and which of these there are.
    var variants: [CacheKey: (names: [HTTPField.Name], places: Set<Place>)] = [:]
    /// Under which keys there are answers of a URL.
    var keys: [CacheTarget: Set<CacheKey>] = [:]
    var indices: [Place: Int] = [:]
    var links: [Link?] = []
    var free: [Int] = []
    var newest: Int?
    var oldest: Int?
    var bytes = 0
    /// Who was logged in when the credentials were last used.
    var logins: [CredentialIdentity: Login] = [:]
    /// How many of these there may be until those are looked for of which nothing is kept.
    var loginBound = CacheStorage.loginCapacity
    /// Counts what makes earlier answers untrue: writes, and that everything is forgotten.
    var removals = 0
  }

  /// The bytes that an entry takes up besides its body, roughly.
  fileprivate static let overhead = 1024
  /// As many logins are remembered, whether anything of them is kept or not.
  static let loginCapacity = 4096

  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  /// The answer that is kept for a request with these fields, and how often something was removed so far.
  func entry(_ key: CacheKey, for headers: HTTPFields) -> (CacheEntry?, removals: Int) {
    state.withLock { state in
      state.noteLogin(key)
      guard let names = state.variants[key]?.names else { return (nil, state.removals) }
      let place = Place(key, of: headers, varyingBy: names)
      guard let index = state.indices[place], let link = state.links[index] else { return (nil, state.removals) }
      state.unlink(index)
      state.link(index)
      return (link.entry, state.removals)
    }
  }

  /// Keeps an answer.
  ///
  /// - Parameter removals: How often something had been removed before the answer was asked for. Where that has changed,
  ///   a write may have overtaken the answer, and it is not kept.
  func set(_ entry: CacheEntry, for key: CacheKey, ifStill removals: Int) {
    let size = entry.body.count + Self.overhead
    let names = entry.variation.map(\.name)
    let place = Place(key, of: entry)
    state.withLock { state in
      guard state.removals == removals else { return }
      // An answer to the one before, who has logged out meanwhile.
      if let credential = key.credential, key.login.isKnown, state.logins[credential] != key.login { return }
      // Where the fields are others now, the earlier answers cannot be found any more.
      if let known = state.variants[key]?.names, known != names { state.remove(key) }
      state.remove(place)
      guard size <= capacity else { return }
      while state.bytes + size > capacity, let oldest = state.oldest, let link = state.links[oldest] {
        state.remove(link.place)
      }
      let index = state.free.popLast() ?? state.links.count
      let link = Link(place: place, entry: entry)
      if index == state.links.count { state.links.append(link) } else { state.links[index] = link }
      state.indices[place] = index
      state.variants[key, default: (names, [])].places.insert(place)
      state.keys[key.target, default: []].insert(key)
      state.bytes += size
      state.link(index)
    }
  }

  /// Forgets all answers of a URL, whoever had asked for it and whatever the request's fields.
  func remove(_ target: CacheTarget) {
    state.withLock { state in
      state.removals += 1
      for key in state.keys[target] ?? [] { state.remove(key) }
    }
  }

  /// Forgets the answer to a request with these fields.
  func remove(_ key: CacheKey, for headers: HTTPFields) {
    state.withLock { state in
      guard let names = state.variants[key]?.names else { return }
      state.remove(Place(key, of: headers, varyingBy: names))
    }
  }

  func removeAll() { state.withLock { $0 = State(removals: $0.removals + 1) } }

  /// How many logins are remembered.
  var loginCount: Int { state.withLock { $0.logins.count } }

  var size: (entries: Int, bytes: Int) { state.withLock { ($0.indices.count, $0.bytes) } }
}

extension CacheStorage.State {
  /// Forgets everything of whoever was logged in before.
  fileprivate mutating func noteLogin(_ key: CacheKey) {
    guard let credential = key.credential, key.login.isKnown else { return }
    forgetLogins(besides: credential)
    guard let earlier = logins.updateValue(key.login, forKey: credential),
      earlier != key.login
    else { return }
    for other in variants.keys where other.credential == credential && other.login == earlier { remove(other) }
  }

  /// Forgets the logins of which nothing is kept, once there are many.
  private mutating func forgetLogins(besides credential: CredentialIdentity) {
    guard logins.count >= loginBound, logins[credential] == nil else { return }
    let kept = Set(variants.keys.lazy.compactMap(\.credential))
    logins = logins.filter { kept.contains($0.key) }
    // The next look is far enough away for its cost to be shared.
    loginBound = max(CacheStorage.loginCapacity, logins.count * 2)
  }

  fileprivate mutating func remove(_ key: CacheKey) {
    for place in variants[key]?.places ?? [] { remove(place) }
  }

  fileprivate mutating func remove(_ place: CacheStorage.Place) {
    guard let index = indices.removeValue(forKey: place), let link = links[index] else { return }
    unlink(index)
    links[index] = nil
    free.append(index)
    bytes -= link.entry.body.count + CacheStorage.overhead
    variants[place.key]?.places.remove(place)
    guard variants[place.key]?.places.isEmpty ?? false else { return }
    variants[place.key] = nil
    let target = place.key.target
    keys[target]?.remove(place.key)
    if keys[target]?.isEmpty ?? false { keys[target] = nil }
  }

  /// Makes a link the newest.
  fileprivate mutating func link(_ index: Int) {
    links[index]?.older = newest
    links[index]?.newer = nil
    if let newest { links[newest]?.newer = index }
    newest = index
    if oldest == nil { oldest = index }
  }

  fileprivate mutating func unlink(_ index: Int) {
    guard let link = links[index] else { return }
    if let newer = link.newer { links[newer]?.older = link.older } else { newest = link.older }
    if let older = link.older { links[older]?.newer = link.newer } else { oldest = link.newer }
  }
}
