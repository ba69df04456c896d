import Callsign
import Foundation

/// A call in the form that the generator writes: the signed-in user's account.
struct BenchAPI: APIClient {
  let client: Client

  init(client: Client) { self.client = client }

  init(auth: some Authenticator, _ configuration: ClientConfiguration) {
    client = Client(auth: auth, configuration: configuration)
  }

  static var baseURLs: [StaticString] { ["https://api.x.com"] }

  static let getUsersMeEndpoint = Endpoint(
    "getUsersMe", "GET", "https://api.x.com", "/2/users/me",
    auth: "oauth2(tweet.read users.read) | oauth1 | bearer", repeatable: true)

  func getUsersMe(
    userFields: [UserField]? = nil, expansions: [UserField]? = nil, postFields: [UserField]? = nil,
    options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<UserResponse> {
    var call = Call(Self.getUsersMeEndpoint, options)
    call.add("user.fields", userFields, in: .query)
    call.add("expansions", expansions, in: .query)
    call.add("post.fields", postFields, in: .query)
    return try await client.send(call)
  }

  static let streamEndpoint = Endpoint(
    "streamPosts", "GET", "https://api.x.com", "/2/tweets/search/stream", auth: "bearer", repeatable: true,
    stream: .lines, backfill: .minutes("backfill_minutes", upTo: 5, id: "data.id"))

  func streamPosts() -> EventStream<PostResponse> { client.stream(Call(Self.streamEndpoint)) }

  struct UserResponse: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout("data:#0 errors:[json]? includes:#1?", Generated.User.self, Generated.Includes.self)
    }
    var data: Generated.User {
      get { _storage[model: 0] }
      set { _storage[model: 0] = newValue }
    }
  }

  struct PostResponse: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout("data:#0 matching_rules:[#1]?", Generated.Post.self, MatchingRule.self)
    }
    var data: Generated.Post {
      get { _storage[model: 0] }
      set { _storage[model: 0] = newValue }
    }
  }

  struct MatchingRule: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("id:string tag:string?") }
  }

  /// Half of the fields, like a program that shows a profile.
  static let standard: [UserField] = [
    .id, .name, .username, .description, .profileImageUrl, .url, .location, .entities, .createdAt, .publicMetrics,
    .protected, .verified, .verifiedType,
  ]

  enum UserField: OpenEnum, Codable, Hashable, ParameterValue {
    case confirmedEmail, connectionStatus, createdAt, description, entities, id, isIdentityVerified, location, name,
      parody, profileBannerUrl, profileImageUrl, `protected`, publicMetrics, receivesYourDm, subscribesToYou,
      subscription, subscriptionType, url, username, verified, verifiedFollowersCount, verifiedType, withheld
    case unknown(String)
    static var names: StaticString {
      "confirmed_email connection_status created_at description entities id is_identity_verified location name parody profile_banner_url profile_image_url protected public_metrics receives_your_dm subscribes_to_you subscription subscription_type url username verified verified_followers_count verified_type withheld"
    }
    init(index: Int, text: String) {
      switch index {
      case 0: self = .confirmedEmail
      case 1: self = .connectionStatus
      case 2: self = .createdAt
      case 3: self = .description
      case 4: self = .entities
      case 5: self = .id
      case 6: self = .isIdentityVerified
      case 7: self = .location
      case 8: self = .name
      case 9: self = .parody
      case 10: self = .profileBannerUrl
      case 11: self = .profileImageUrl
      case 12: self = .`protected`
      case 13: self = .publicMetrics
      case 14: self = .receivesYourDm
      case 15: self = .subscribesToYou
      case 16: self = .subscription
      case 17: self = .subscriptionType
      case 18: self = .url
      case 19: self = .username
      case 20: self = .verified
      case 21: self = .verifiedFollowersCount
      case 22: self = .verifiedType
      case 23: self = .withheld
      default: self = .unknown(text)
      }
    }
    var rawValue: String {
      switch self {
      case .confirmedEmail: "confirmed_email"
      case .connectionStatus: "connection_status"
      case .createdAt: "created_at"
      case .description: "description"
      case .entities: "entities"
      case .id: "id"
      case .isIdentityVerified: "is_identity_verified"
      case .location: "location"
      case .name: "name"
      case .parody: "parody"
      case .profileBannerUrl: "profile_banner_url"
      case .profileImageUrl: "profile_image_url"
      case .`protected`: "protected"
      case .publicMetrics: "public_metrics"
      case .receivesYourDm: "receives_your_dm"
      case .subscribesToYou: "subscribes_to_you"
      case .subscription: "subscription"
      case .subscriptionType: "subscription_type"
      case .url: "url"
      case .username: "username"
      case .verified: "verified"
      case .verifiedFollowersCount: "verified_followers_count"
      case .verifiedType: "verified_type"
      case .withheld: "withheld"
      case .unknown(let text): text
      }
    }
  }
}
