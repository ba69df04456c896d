import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP

extension BaseURLOverrides {
  /// Sends all requests to a base URL given by the user.
  ///
  /// If the URL ends with the API's own base path, for example because it was copied from the API's document, the path is not added
  /// again.
  ///
  /// - Parameters:
  ///   - given: The user's URL.
  ///   - hosts: The API's hosts that it replaces. Of several base paths, the one that the URL ends with counts.
  package static func all(to given: String, insteadOf hosts: [CatalogueHost]) -> BaseURLOverrides {
    let paths = Set(hosts.map { AbsoluteURL($0.sampleURL).map { plain($0.path) } ?? "" })
    guard var url = AbsoluteURL(given), url.query == nil, !url.hasUserInformation, !paths.contains(""),
      let path = paths.filter({ plain(url.path).hasSuffix($0) }).max(by: { $0.count < $1.count })
    else { return .all(to: given) }
    url.path = String(plain(url.path).dropLast(path.count))
    return .all(to: url.text)
  }

  /// A path without trailing slashes.
  private static func plain(_ path: String) -> String {
    var path = path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }
}

/// An API whose calls all go to a base URL given by the user. Operations whose hosts have different base paths use separate APIs.
struct BasePlaces {
  private let api: DynamicAPI
  private let apis: [String: DynamicAPI]

  init(_ api: DynamicAPI, at place: String) {
    // Hosts with the same overrides share an API, because each API has a copy of every operation.
    var made: [BaseURLOverrides: DynamicAPI] = [:]
    func placed(_ hosts: [CatalogueHost]) -> DynamicAPI {
      let overrides = BaseURLOverrides.all(to: place, insteadOf: hosts)
      if let known = made[overrides] { return known }
      let new = DynamicAPI(
        api.catalogue, client: api.client.with(hosts: overrides), conventions: api.client.conventions)
      made[overrides] = new
      return new
    }
    let first = placed([])
    var apis: [String: DynamicAPI] = [:]
    for host in api.catalogue.api.hosts where apis[host.url] == nil { apis[host.url] = placed([host]) }
    self.api = first
    self.apis = apis
  }

  /// The API for calling an operation.
  func api(for operation: DynamicOperation) -> DynamicAPI {
    api.catalogue.api.host(of: operation.endpoint).flatMap { apis[$0.url] } ?? api
  }
}
