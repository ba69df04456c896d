import Foundation

extension XAPIv1 {
  /// A delivery of the account activity API: what happened to one user's account, mostly a single event.
  ///
  /// `WebhookReceiver` of the module `XAPI` checks a delivery's signature and reads this from it.
  ///
  /// Source: https://docs.x.com/x-api/account-activity/introduction
  public struct AccountActivity: Sendable, Hashable {
    /// The user whose events these are; `nil` for events of the app, such as a revocation.
    public let forUserID: UserID?
    /// Whether this user has blocked the author of the post that mentions them.
    public let userHasBlocked: Bool
    /// What happened, by kind in alphabetical order, and within a kind in the order of the delivery.
    public let events: [AccountEvent]
    /// The users of the messages among the events, by their ids, as they came.
    public let users: [UserID: JSONValue]
    /// The delivery as it came.
    public let document: JSONValue
  }
}

extension XAPIv1.AccountActivity: JSONCodable {
  /// What goes with the events and is none.
  private static let companions: Set<String> = ["for_user_id", "user_has_blocked", "users", "apps"]

  /// Reads one value at the reader's position.
  ///
  /// - Throws: `JSONError` when it is no object.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let offset = reader.offset
    document = try JSONValue(json: &reader)
    guard let members = document.object else {
      throw JSONError(.mismatch(expected: "an object", found: "another value"), offset: offset)
    }
    forUserID = members["for_user_id"]?.string
    userHasBlocked = members["user_has_blocked"]?.bool ?? (members["user_has_blocked"]?.string == "true")
    users = members["users"]?.object ?? [:]
    events = members.sorted { $0.key < $1.key }.flatMap { name, value in
      Self.companions.contains(name) ? [] : XAPIv1.AccountEvent.all(name, value)
    }
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.value(document) }
}
