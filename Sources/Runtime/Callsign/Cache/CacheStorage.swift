import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Responses within a bound of bytes. What was not used for longest goes first, at a cost that does not grow with what is
/// kept.
final class CacheStorage: Sendable {
  /// A response's place: what was asked for, by whom, and the values of the fields on which the response depends.
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

  /// A link of the chain from what was used last to what was not used for longest.
  fileprivate struct Link {
    var place: Place
    var entry: CacheEntry
    /// The number of the question that it responds.
    var question: Int
    var newer: Int?
    var older: Int?
  }

  fileprivate struct State {
    /// The fields that tell a key's responses apart, and which of these there are.
    var variants: [CacheKey: (names: [HTTPField.Name], places: Set<Place>)] = [:]
    /// The keys under which there are responses of a URL.
    var keys: [CacheTarget: Set<CacheKey>] = [:]
    var indices: [Place: Int] = [:]
    var links: [Link?] = []
    var free: [Int] = []
    var newest: Int?
    var oldest: Int?
    var bytes = 0
    /// The login of each of the credentials when they were last used.
    var logins: [CredentialIdentity: Login] = [:]
    /// The number of these that there may be until those are looked for of which nothing is kept.
    var loginBound = CacheStorage.loginCapacity
    /// The number of responses that were asked for, which numbers the questions.
    var questions = 0
    /// The last question whose response may be untrue, since a write came after it or everything was forgotten.
    var overtaken = 0
    /// The last question of each key whose response was not to be kept: those to earlier ones are older still.
    var passedOver: [CacheKey: Int] = [:]
  }

  /// The bytes that an entry takes up besides its body, roughly.
  fileprivate static let overhead = 1024
  /// As many logins are remembered, whether anything of them is kept or not.
  static let loginCapacity = 4096
  /// Of as many keys is remembered that a response was not kept.
  fileprivate static let passedOverCapacity = 1024

  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  /// The response that is kept for a request with these fields, and the number of this question, which grows with each.
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
  /// - Parameter question: The number of the question that it responds. Where the response to a later one came before it, or
  ///   a write may have overtaken it, it is not kept.
  func set(_ entry: CacheEntry, for key: CacheKey, respondingTo question: Int) {
    let size = entry.body.count + Self.overhead
    let names = entry.variation.map(\.name)
    let place = Place(key, of: entry)
    state.withLock { state in
      guard question > state.overtaken, question > state.passedOver[key] ?? 0 else { return }
      // A response to the one before, who has logged out meanwhile.
      if let credential = key.credential, key.login.isKnown, state.logins[credential] != key.login { return }
      // Where the fields are others now, the earlier responses cannot be found any more.
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

  /// Forgets all responses of a URL, whoever had asked for it and whatever the request's fields.
  func remove(_ target: CacheTarget) {
    state.withLock { state in
      state.overtaken = state.questions
      for key in state.keys[target] ?? [] { state.remove(key) }
    }
  }

  /// Forgets the response to a request with these fields, since a newer one is not to be kept.
  ///
  /// - Parameter question: The number of the question that the newer one responds. What is kept of a later one stays.
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

  /// The number of the request whose response a place keeps; 0 if it keeps none.
  fileprivate func question(of place: CacheStorage.Place) -> Int {
    indices[place].flatMap { links[$0]?.question } ?? 0
  }

  /// Remembers that a response was not kept, so that none to an earlier question is.
  fileprivate mutating func skip(_ key: CacheKey, _ question: Int) {
    if passedOver.count >= CacheStorage.passedOverCapacity, passedOver[key] == nil {
      // Rather none is kept of those that are on their way now.
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
