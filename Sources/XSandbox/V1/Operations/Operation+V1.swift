extension Operation {
  /// A v1.1 operation, named by method and path as the catalogue names it.
  /// - Parameters:
  ///   - path: without `/1.1/` and `.json`.
  ///   - body: what the JSON body must be; `nil` for operations that take a form or nothing.
  static func v1(
    _ method: String, _ path: String, _ access: Access, body: BodySchema? = nil, readsLimits: Bool = false,
    respond: @escaping Response
  ) -> Operation {
    Operation(
      name: "\(method) \(path)", method: method, path: "/1.1/\(path).json", access: access, body: body,
      readsLimits: readsLimits, respond: respond)
  }
}

extension Access {
  /// v1.1 knows no OAuth 2 user tokens.
  static let v1Read = Access(kinds: [.oauth1, .appOnly], scopes: [], isWrite: false)
  static let v1ReadAsUser = Access(kinds: [.oauth1], scopes: [], isWrite: false)
  static let v1Write = Access(kinds: [.oauth1], scopes: [], isWrite: true)
}

extension OperationTable {
  static let v1: [Operation] =
    StatusesV1.operations + StatusLookupV1.operations + RetweetsV1.operations + TimelinesV1.operations
    + SearchV1.operations + FavoritesV1.operations + FriendshipsV1.operations + UsersV1.operations
    + ListsV1.operations + ListMembersV1.operations + DirectMessagesV1.operations + SavedSearchesV1.operations
    + ApplicationV1.operations + MediaV1.operations + MediaDetailsV1.operations
}
