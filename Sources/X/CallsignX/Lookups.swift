import Callsign
import CallsignSupport
import XCore

extension XAPI {
  /// Things that were looked up by many ids or names, a hundred with each call.
  public struct Lookup<Element: Sendable>: Sendable {
    /// In the order in which they were asked for; asked for twice, one is here twice.
    public var found: [Element] = []
    /// The ids or names, as they were given, of those that X did not send: gone, suspended, protected or renamed.
    public var missing: [String] = []
    /// The reasons why some are missing, in X's words.
    public var problems: [ProblemDetails] = []
    /// The things that they refer to, where `expansions` asked for them; each once.
    public var includes = Expansions()
  }

  /// Users by their ids, however many: a hundred with each call, one call after the other.
  ///
  /// - Parameters:
  ///   - ids: The users to look up; nothing is sent for none.
  ///   - fields: The members to send of each.
  ///   - expansions: The things that they refer to and that are sent along.
  ///   - postFields: The members to send of posts that are sent along.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError`, as soon as one of the calls fails.
  public func users(
    ids: [UserID], fields: [UserField]? = nil, expansions: [UserExpansion]? = nil, postFields: [PostField]? = nil,
    options: CallOptions = CallOptions()
  ) async throws(CallError) -> Lookup<User> {
    try await lookUp(BatchLookup(ids), by: \.id) { (batch) throws(CallError) in
      let page = try await getUsersByIds(
        ids: batch, userFields: fields, expansions: expansions, postFields: postFields, options: options)
      return (page.value.data, page.value.includes, page.errors)
    }
  }

  /// Users by their names, however many: a hundred with each call, one call after the other. Case does not matter.
  ///
  /// - Parameters:
  ///   - usernames: Names without the `@`; nothing is sent for none.
  ///   - fields: The members to send of each.
  ///   - expansions: The things that they refer to and that are sent along.
  ///   - postFields: The members to send of posts that are sent along.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError`, as soon as one of the calls fails.
  public func users(
    usernames: [String], fields: [UserField]? = nil, expansions: [UserExpansion]? = nil,
    postFields: [PostField]? = nil, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Lookup<User> {
    try await lookUp(BatchLookup(usernames) { $0.lowercased() }, by: { $0.username.lowercased() }) {
      (batch) throws(CallError) in
      let page = try await getUsersByUsernames(
        usernames: batch, userFields: fields, expansions: expansions, postFields: postFields, options: options)
      return (page.value.data, page.value.includes, page.errors)
    }
  }

  /// Posts by their ids, however many: a hundred with each call, one call after the other.
  ///
  /// - Parameters:
  ///   - ids: Which to look up; nothing is sent for none.
  ///   - fields: The members to send of each.
  ///   - expansions: The things that they refer to and that are sent along.
  ///   - userFields: The members to send of users that are sent along.
  ///   - mediaFields: The members to send of pictures and videos that are sent along.
  ///   - pollFields: The members to send of polls that are sent along.
  ///   - placeFields: The members to send of places that are sent along.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError`, as soon as one of the calls fails.
  public func posts(
    ids: [PostID], fields: [PostField]? = nil, expansions: [PostExpansion]? = nil, userFields: [UserField]? = nil,
    mediaFields: [MediaField]? = nil, pollFields: [PollField]? = nil, placeFields: [PlaceField]? = nil,
    options: CallOptions = CallOptions()
  ) async throws(CallError) -> Lookup<Post> {
    try await lookUp(BatchLookup(ids), by: \.id) { (batch) throws(CallError) in
      let page = try await getPostsByIds(
        ids: batch, postFields: fields, expansions: expansions, userFields: userFields, mediaFields: mediaFields,
        pollFields: pollFields, placeFields: placeFields, options: options)
      return (page.value.data, page.value.includes, page.errors)
    }
  }

  private func lookUp<Element: Sendable>(
    _ lookup: BatchLookup, by key: (Element) -> String,
    _ call: ([String]) async throws(CallError) -> (data: [Element], includes: Expansions?, problems: [ProblemDetails])
  ) async throws(CallError) -> Lookup<Element> {
    var elements: [Element] = []
    var result = Lookup<Element>()
    for batch in lookup.batches {
      let page: (data: [Element], includes: Expansions?, problems: [ProblemDetails])
      do throws(CallError) { page = try await call(batch) } catch {
        // How X says that it knows none of the batch: a success with `errors` alone.
        guard case .api(let response) = error, response.status.kind == .successful else { throw error }
        result.problems += error.problems
        continue
      }
      elements += page.data
      if let includes = page.includes { result.includes.add(includes) }
      result.problems += page.problems
    }
    (result.found, result.missing) = lookup.sorted(elements, by: key)
    return result
  }
}

extension XAPI.Expansions {
  /// Adds what another response has included, unless it is there already.
  mutating func add(_ other: XAPI.Expansions) {
    users += Self.new(other.users, beside: users, \.id)
    posts += Self.new(other.posts, beside: posts, \.id)
    media += Self.new(other.media, beside: media, \.mediaKey)
    places += Self.new(other.places, beside: places, \.id)
    polls += Self.new(other.polls, beside: polls, \.id)
    topics += Self.new(other.topics, beside: topics, \.id)
  }

  private static func new<Element, Key: Hashable>(
    _ others: [Element], beside known: [Element], _ key: (Element) -> Key
  ) -> [Element] {
    if others.isEmpty { return [] }
    var keys = Set(known.map(key))
    return others.filter { keys.insert(key($0)).inserted }
  }
}

extension XAPI.User {
  /// The address of the user's image in a size; `nil` where the response has none. `.profileImageURL` among the fields asks
  /// for it.
  public func profileImageURL(_ size: ProfileImageSize) -> String? { profileImageURL.map(size.url) }

  /// The address of the user's banner in a size; `nil` where the user has none. `.profileBannerURL` among the fields asks
  /// for it.
  public func profileBannerURL(_ size: ProfileBannerSize) -> String? { profileBannerURL.map(size.url) }
}

extension ProfileImageCache {
  /// The image of a user; `nil` where the response has none. `.profileImageURL` among the fields asks for it.
  ///
  /// - Throws: `CallError`.
  public func image(of user: XAPI.User, size: ProfileImageSize = .normal) async throws(CallError) -> Data? {
    guard let url = user.profileImageURL else { return nil }
    return try await image(at: url, size: size)
  }

  /// The banner of a user; `nil` where the user has none. `.profileBannerURL` among the fields asks for it.
  ///
  /// - Throws: `CallError`.
  public func banner(of user: XAPI.User, size: ProfileBannerSize = .large) async throws(CallError) -> Data? {
    guard let url = user.profileBannerURL else { return nil }
    return try await banner(at: url, size: size)
  }
}
