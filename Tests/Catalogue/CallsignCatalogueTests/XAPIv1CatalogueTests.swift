import CallsignCatalogue
import CatalogueTestSupport
import Foundation
import TestSupport
import Testing

/// The facts that `spec/x-v1.1` must keep stating, above all where other clients of this API went wrong.
@Suite("The catalogue of REST v1.1")
struct XAPIv1CatalogueTests {
  static let folder = PackageFolder.url("spec/x-v1.1").path

  let catalogue: Catalogue

  init() throws { catalogue = try CatalogueLoader().load(folder: Self.folder).expectCatalogue() }

  private func call(_ name: String) throws -> String {
    let endpoint = try catalogue.endpoint(name)
    let host = catalogue.api.hosts.first { $0.name == endpoint.host } ?? catalogue.api.hosts[0]
    return "\(endpoint.method) \(host.url)\(endpoint.path)"
  }

  private func parameter(_ endpoint: String, _ name: String) throws -> Parameter {
    try #require(catalogue.endpoint(endpoint).parameters.first { $0.name == name })
  }

  @Test("every endpoint has a summary")
  func summaries() {
    let endpoints = catalogue.groups.flatMap(\.endpoints)
    #expect(endpoints.count == 192)
    #expect(endpoints.filter { $0.summary?.isEmpty != false }.map(\.name) == [])
  }

  @Test(
    "paths that other clients have wrong",
    arguments: [
      ("getGeoSearch", "GET https://api.twitter.com/1.1/geo/search.json"),
      ("getGeoSimilarPlaces", "GET https://api.twitter.com/1.1/geo/similar_places.json"),
      ("postGeoPlace", "POST https://api.twitter.com/1.1/geo/place.json"),
      ("getUsersSuggestionsBySlug", "GET https://api.twitter.com/1.1/users/suggestions/{slug}.json"),
      ("getFriendshipsOutgoing", "GET https://api.twitter.com/1.1/friendships/outgoing.json"),
      ("getStatusesOembed", "GET https://api.twitter.com/1.1/statuses/oembed.json"),
      ("getOembed", "GET https://publish.twitter.com/oembed"),
      ("getStatusesShow", "GET https://api.twitter.com/1.1/statuses/show/{id}.json"),
      ("postMediaUploadAppend", "POST https://upload.twitter.com/1.1/media/upload.json"),
      ("getSite", "GET https://sitestream.twitter.com/1.1/site.json"),
      ("getUser", "GET https://userstream.twitter.com/1.1/user.json"),
      ("postAccountGenerate", "POST https://api.twitter.com/1/account/generate.json"),
      ("postOauthAccessToken", "POST https://api.twitter.com/oauth/access_token"),
    ])
  func paths(_ name: String, _ expected: String) throws {
    #expect(try call(name) == expected)
  }

  @Test(
    "parameters that other clients misspell or leave out",
    arguments: [
      ("postStatusesUpdate", "long", Parameter.Place.field), ("postStatusesUpdate", "lat", .field),
      ("postStatusesUpdate", "trim_user", .field), ("postStatusesUpdate", "display_coordinates", .field),
      ("getTrendsPlace", "id", .query), ("getOembed", "omit_script", .query),
      ("getFriendsIds", "stringify_ids", .query), ("getUsersSuggestionsBySlug", "slug", .path),
      ("getUsersProfileBanner", "screen_name", .query), ("postAccountActivityWebhooks", "url", .query),
    ])
  func parameters(_ endpoint: String, _ name: String, _ place: Parameter.Place) throws {
    #expect(try parameter(endpoint, name).place == place)
  }

  @Test("nothing is sent that the caller leaves out")
  func nothingForced() throws {
    #expect(try parameter("getListsStatuses", "include_rts").type.isOptional)
    let constants = catalogue.groups.flatMap(\.endpoints).flatMap { endpoint in
      endpoint.parameters.compactMap { parameter in
        parameter.constant.map { "\(endpoint.name) \(parameter.name)=\($0)" }
      }
    }
    #expect(
      constants == [
        "postMediaUploadInit command=INIT", "postMediaUploadAppend command=APPEND",
        "postMediaUploadFinalize command=FINALIZE", "getMediaUpload command=STATUS", "getStatusesLookupMap map=true",
      ])
  }

  @Test("every flag distinguishes true, false and missing")
  func flags() {
    let required = catalogue.groups.flatMap(\.endpoints).flatMap { endpoint in
      endpoint.parameters.filter { $0.constant == nil && $0.type.kind == .scalar(.bool) && !$0.type.isOptional }.map {
        "\(endpoint.name) \($0.name)"
      }
    }
    #expect(required == ["postDeviceRegister send_numeric_pin"])
  }

  @Test("a list is named by its id, or by its slug and its owner, everywhere")
  func lists() throws {
    let endpoints = catalogue.groups.flatMap(\.endpoints).filter { endpoint in
      endpoint.parameters.contains { $0.name == "list_id" }
    }
    #expect(endpoints.count == 14)
    for endpoint in endpoints {
      let rule = try #require(endpoint.rules.first { $0.swiftType == "ListReference" }, "\(endpoint.name)")
      #expect(rule.parameters == ["list_id", "slug", "owner_id", "owner_screen_name"])
      #expect(!rule.isOptional)
    }
  }

  @Test("a user is named once, by id or by screen name")
  func users() {
    for endpoint in catalogue.groups.flatMap(\.endpoints) {
      let names = Set(endpoint.parameters.map(\.name))
      guard names.isSuperset(of: ["user_id", "screen_name"]) else { continue }
      let folded = endpoint.rules.contains { rule in
        rule.swiftType != nil && rule.parameters.contains("user_id") && rule.parameters.contains("screen_name")
      }
      #expect(folded, "\(endpoint.name)")
    }
  }

  @Test("rules that no type can state")
  func rules() throws {
    func rules(_ name: String) throws -> [String] {
      try catalogue.endpoint(name).rules.map { "\($0.kind.rawValue) \($0.parameters.joined(separator: " "))" }
    }
    #expect(try rules("postStatusesUpdate") == ["together lat long"])
    #expect(
      try rules("postAccountUpdateProfileBanner") == ["together width height offset_left offset_top"])
    #expect(try rules("postStatusesFilter") == ["any_of follow track locations"])
  }

  @Test("undocumented endpoints are in a separate file and say so")
  func undocumented() throws {
    let group = try #require(catalogue.groups.first { $0.name == "undocumented" })
    #expect(group.endpoints.count == 23)
    for endpoint in group.endpoints {
      #expect(endpoint.details?.contains("never documented") == true, "\(endpoint.name)")
    }
  }

  @Test("retired endpoints are deprecated, and name the replacement or the date of removal")
  func retired() throws {
    let retired = [
      "getStatusesShow", "postStatusesDestroy", "postStatusesUpdate", "postStatusesUpdateWithMedia",
      "postStatusesRetweet", "postStatusesUnretweet", "getStatusesLookup", "getStatusesLookupMap",
      "postStatusesLookup", "getSearchTweets", "getTweetsSearch30day", "getTweetsSearchFullarchive",
      "postStatusesFilter", "getStatusesSample", "postAccountUpdateProfileColors", "getUsersSearch", "getGeoSearch",
      "postGeoPlace", "getDirectMessages", "getDirectMessagesSent", "getDirectMessagesShow",
      "postDirectMessagesDestroy", "postDirectMessagesNew", "getUser", "getSite", "getSiteCInfo", "postSiteCAddUser",
      "postSiteCRemoveUser", "postSiteCFriendsIds",
    ]
    let endpoints = catalogue.groups.flatMap(\.endpoints).filter { $0.deprecation != nil }
    #expect(Set(endpoints.map(\.name)) == Set(retired))
    for endpoint in endpoints { #expect(endpoint.deprecation?.message?.isEmpty == false, "\(endpoint.name)") }
  }
}
