import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Responses up to a limit of bytes. The least recently used are removed first, at a cost that does not grow with the
/// number of responses.
final class CacheStorage: Sendable {
  /// A response's place: the URL, the account, and the values of the fields that the response depends on.
  fileprivate struct Place: Hashable {
    var key: CacheKey
    var requester: CacheRequester
    var variation: [CacheVariation]

    init(_ key: CacheKey, of headers: HTTPFields, varyingBy names: [HTTPField.Name]) {
      self.key = key
      requester = CacheRequester(headers)
      variation = names.map { CacheVariation($0, headers) }
    }

    init(_ key: CacheKey, of entry: CacheEntry) {
      self.key = key
      requester = entry.requester
      variation = entry.variation
    }
  }

  /// A link of the chain from the most to the least recently used.
  fileprivate struct Link {
    var place: Place
    var entry: CacheEntry
    /// The number of the request that it belongs to.
    var question: Int
    var newer: Int?
    var older: Int?
  }

  fileprivate struct State {
    /// The fields that distinguish a key's responses, and the existing places.
    var variants: [CacheKey: (names: [HTTPField.Name], places: Set<Place>)] = [:]
    /// The keys that have responses of a URL.
    var keys: [CacheTarget: Set<CacheKey>] = [:]
    var indices: [Place: Int] = [:]
    var links: [Link?] = []
    var free: [Int] = []
    var newest: Int?
    var oldest: Int?
    var bytes = 0
    /// The login of each of the credentials when they were last used.
    var logins: [CredentialIdentity: Login] = [:]
    /// The number of logins that triggers the next search for logins without responses.
    var loginBound = CacheStorage.loginCapacity
    /// The number of requests so far, which numbers them.
    var questions = 0
    /// The last request whose response may be outdated, because a write or a removal of everything came after it.
    var overtaken = 0
    /// The last request of each key whose response was not to be kept: responses to earlier requests are even older.
    var passedOver: [CacheKey: Int] = [:]
  }

  /// The bytes that an entry takes up besides its body, roughly.
  fileprivate static let overhead = 1024
  /// The maximum number of remembered logins, whether they have responses or not.
  static let loginCapacity = 4096
  /// The maximum number of keys to remember for which a response was not stored.
  fileprivate static let passedOverCapacity = 1024

  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  /// The stored response for a request with these fields, and this request's number, which grows with each.
  func entry(_ key: CacheKey, for headers: HTTPFields) -> (CacheEntry?, question: Int) {
    state.withLock { state in
      state.noteLogin(key)
      state.questions += 1
      guard let names = state.variants[key]?.names else { return (nil, state.questions) }
      let place = Place(key, of: headers, varyingBy: names)
      guard let index = state.indices[place], let link = state.links[index] else { return (nil, state.questions) }
      state.unlink(index)
      state.link(index)
      return (link.entry, state.questions)
    }
  }

  /// Keeps a response.
  ///
  /// - Parameter question: The number of the request that it belongs to. It is not kept if the response to a later
  ///   request came before it, or if a write may have overtaken it.
  func set(_ entry: CacheEntry, for key: CacheKey, respondingTo question: Int) {
    let size = entry.body.count + Self.overhead
    let names = entry.variation.map(\.name)
    let place = Place(key, of: entry)
    state.withLock { state in
      guard question > state.overtaken, question > state.passedOver[key] ?? 0 else { return }
      // The response is for the previous user, who has logged out in the meantime.
      if let credential = key.credential, key.login.isKnown, state.logins[credential] != key.login { return }
      // If the fields are different now, the earlier responses cannot be found any more.
      let earlier: Set<Place> = state.variants[key].map { $0.names == names ? [place] : $0.places } ?? []
      guard earlier.allSatisfy({ state.question(of: $0) <= question }) else { return }
      for old in earlier { state.remove(old) }
      guard size <= capacity else { return state.skip(key, question) }
      while state.bytes + size > capacity, let oldest = state.oldest, let link = state.links[oldest] {
        state.remove(link.place)
      }
      let index = state.free.popLast() ?? state.links.count
      let link = Link(place: place, entry: entry, question: question)
      if index == state.links.count { state.links.append(link) } else { state.links[index] = link }
      state.indices[place] = index
      state.variants[key, default: (names, [])].places.insert(place)
      state.keys[key.target, default: []].insert(key)
      state.bytes += size
      state.link(index)
    }
  }

  /// Forgets all responses of a URL, for all accounts and fields.
  func remove(_ target: CacheTarget) {
    state.withLock { state in
      state.overtaken = state.questions
      for key in state.keys[target] ?? [] { state.remove(key) }
    }
  }

  /// Forgets the response to a request with these fields, since a newer one is not to be kept.
  ///
  /// - Parameter question: The number of the request for the newer one. Responses to later requests stay.
  func remove(_ key: CacheKey, for headers: HTTPFields, respondingTo question: Int) {
    state.withLock { state in
      state.skip(key, question)
      guard let names = state.variants[key]?.names else { return }
      let place = Place(key, of: headers, varyingBy: names)
      if state.question(of: place) <= question { state.remove(place) }
    }
  }

  func removeAll() { state.withLock { $0 = State(questions: $0.questions, overtaken: $0.questions) } }

  /// The number of logins that are remembered.
  var loginCount: Int { state.withLock { $0.logins.count } }

  var size: (entries: Int, bytes: Int) { state.withLock { ($0.indices.count, $0.bytes) } }
}

extension CacheStorage.State {
  /// Forgets everything of the previous user.
  fileprivate mutating func noteLogin(_ key: CacheKey) {
    guard let credential = key.credential, key.login.isKnown else { return }
    forgetLogins(besides: credential)
    guard let earlier = logins.updateValue(key.login, forKey: credential),
      earlier != key.login
    else { return }
    for other in variants.keys where other.credential == credential && other.login == earlier { remove(other) }
  }

  /// Forgets logins without responses, once there are many.
  private mutating func forgetLogins(besides credential: CredentialIdentity) {
    guard logins.count >= loginBound, logins[credential] == nil else { return }
    let kept = Set(variants.keys.lazy.compactMap(\.credential))
    logins = logins.filter { kept.contains($0.key) }
    // The next check is far enough away to spread its cost.
    loginBound = max(CacheStorage.loginCapacity, logins.count * 2)
  }

  /// The number of the request whose response a place keeps; 0 if it keeps none.
  fileprivate func question(of place: CacheStorage.Place) -> Int {
    indices[place].flatMap { links[$0]?.question } ?? 0
  }

  /// Remembers that a response was not kept, so that responses to earlier requests are not kept either.
  fileprivate mutating func skip(_ key: CacheKey, _ question: Int) {
    if passedOver.count >= CacheStorage.passedOverCapacity, passedOver[key] == nil {
      // Instead, nothing is kept of the requests that are under way now.
      passedOver = [:]
      overtaken = questions
    }
    passedOver[key] = max(passedOver[key] ?? 0, question)
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
