import Foundation

/// The operations for communities. These come from the seed, because the API cannot create them.
enum Communities {
  static let operations = Operation.catalogued([
    .init("searchCommunities", search), .init("getCommunitiesById", byIdentifier),
  ])

  private static func search(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let words = (context.string("query") ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    var found = Relation()
    for community in database.communities.values.sorted(by: { $0.id < $1.id }) {
      let text = "\(community.name) \(community.about)".lowercased()
      if words.allSatisfy({ text.contains($0) }) { found.insert(community.id) }
    }
    // The token can have either name.
    let parameter = context.string("next_token") == nil ? "pagination_token" : "next_token"
    let page = try Page(
      of: found, size: context.integer("max_results") ?? 10, token: context.string(parameter), parameter: parameter,
      scope: context.pageScope)
    let data = page.members.compactMap { database.communities[$0].map { document($0, context) } }
    var members: [String: JSON] = [
      "meta": .object(page.meta(resultCount: data.count).filter { $0.key == "next_token" })
    ]
    if !data.isEmpty { members["data"] = .array(data) }
    return Response(json: .object(members))
  }

  private static func byIdentifier(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let (text, id) = try context.identifier("id")
    guard let community = id.flatMap({ database.communities[$0] }) else {
      return Response(json: ["errors": [MissingResource(kind: .community, parameter: "id", value: text).document]])
    }
    return Response(json: ["data": document(community, context)])
  }

  private static func document(_ community: CommunityRecord, _ context: RequestContext) -> JSON {
    let all: [String: JSON?] = [
      "id": .text(community.id), "name": .string(community.name), "description": .string(community.about),
      "created_at": .string(Timestamp.text(community.createdAt)), "member_count": .integer(community.members.count),
      "access": community.isClosed ? "Closed" : "Public",
      "join_policy": community.isClosed ? "RestrictedJoinRequestsRequireAdminApproval" : "Open",
    ]
    return Renderer.select(all, Set(context.strings("community.fields")).union(["id", "name"]))
  }
}
