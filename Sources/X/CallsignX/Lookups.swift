import Callsign
import CallsignSupport
import XCore

extension XAPI {
  /// The result of a lookup by many IDs or names, with up to a hundred per call.
  public struct Lookup<Element: Sendable>: Sendable {
    /// The results, in the order of the request. A result requested twice appears twice.
    public var found: [Element] = []
    /// The requested IDs or names that X did not return: deleted, suspended, protected or renamed.
    public var missing: [String] = []
    /// The reasons why some are missing, as stated by X.
    public var problems: [ProblemDetails] = []
    /// The objects that the results refer to, if `expansions` requested them; each once.
    public var includes = Expansions()
  }

  /// Looks up any number of users by ID, a hundred per call, one call after the other.
  ///
  /// - Parameters:
  ///   - ids: The users to look up. If there are none, nothing is sent.
  ///   - fields: The members to include for each user.
  ///   - expansions: The objects that the users refer to and that the response includes.
  ///   - postFields: The members to include for these posts.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError` as soon as one of the calls fails.
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

  /// Looks up any number of users by name, a hundred per call, one call after the other. Case does not matter.
  ///
  /// - Parameters:
  ///   - usernames: Names without the `@`. If there are none, nothing is sent.
  ///   - fields: The members to include for each user.
  ///   - expansions: The objects that the users refer to and that the response includes.
  ///   - postFields: The members to include for these posts.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError` as soon as one of the calls fails.
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

  /// Looks up any number of posts by ID, a hundred per call, one call after the other.
  ///
  /// - Parameters:
  ///   - ids: The posts to look up. If there are none, nothing is sent.
  ///   - fields: The members to include for each post.
  ///   - expansions: The objects that the posts refer to and that the response includes.
  ///   - userFields: The members to include for users in the response.
  ///   - mediaFields: The members to include for pictures and videos in the response.
  ///   - pollFields: The members to include for polls in the response.
  ///   - placeFields: The members to include for places in the response.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError` as soon as one of the calls fails.
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
        // If X knows none of the batch, it responds with success and only `errors`.
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
  /// Adds the objects included in another response, except those that already exist.
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
  /// The URL of the user's image in a size; `nil` if the response contains none. Request it with `.profileImageURL` among the
  /// fields.
  public func profileImageURL(_ size: ProfileImageSize) -> String? { profileImageURL.map(size.url) }

  /// The URL of the user's banner in a size; `nil` if the user has none. Request it with `.profileBannerURL` among the fields.
  public func profileBannerURL(_ size: ProfileBannerSize) -> String? { profileBannerURL.map(size.url) }
}

extension ProfileImageCache {
  /// The image of a user; `nil` if the response contains none. Request it with `.profileImageURL` among the fields.
  ///
  /// - Throws: `CallError`.
  public func image(of user: XAPI.User, size: ProfileImageSize = .normal) async throws(CallError) -> Data? {
    guard let url = user.profileImageURL else { return nil }
    return try await image(at: url, size: size)
  }

  /// The banner of a user; `nil` if the user has none. Request it with `.profileBannerURL` among the fields.
  ///
  /// - Throws: `CallError`.
  public func banner(of user: XAPI.User, size: ProfileBannerSize = .large) async throws(CallError) -> Data? {
    guard let url = user.profileBannerURL else { return nil }
    return try await banner(at: url, size: size)
  }
}
