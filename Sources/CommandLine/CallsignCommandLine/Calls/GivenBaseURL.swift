import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP

extension BaseURLOverrides {
  /// Sends everything to a base URL that a person gives.
  ///
  /// One that ends with the API's own base path, such as a server's URL that was copied from its document, does not get that
  /// path a second time.
  ///
  /// - Parameters:
  ///   - given: The person's URL.
  ///   - hosts: The API's hosts in whose place it stands. Of several base paths that counts with which it ends.
  package static func all(to given: String, insteadOf hosts: [CatalogueHost]) -> BaseURLOverrides {
    let paths = Set(hosts.map { AbsoluteURL($0.sampleURL).map { plain($0.path) } ?? "" })
    guard var url = AbsoluteURL(given), url.query == nil, !url.hasUserInformation, !paths.contains(""),
      let path = paths.filter({ plain(url.path).hasSuffix($0) }).max(by: { $0.count < $1.count })
    else { return .all(to: given) }
    url.path = String(plain(url.path).dropLast(path.count))
    return .all(to: url.text)
  }

  /// A path without slashes at its end.
  private static func plain(_ path: String) -> String {
    var path = path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }
}

/// An API whose calls all go to a place that a person gives. Operations whose hosts have base paths of their own get there
/// by an API each.
struct BasePlaces {
  private let api: DynamicAPI
  private let apis: [String: DynamicAPI]

  init(_ api: DynamicAPI, at place: String) {
    func placed(_ hosts: [CatalogueHost]) -> DynamicAPI {
      DynamicAPI(
        api.catalogue, client: api.client.with(hosts: .all(to: place, insteadOf: hosts)),
        conventions: api.client.conventions)
    }
    self.api = placed([])
    apis = Dictionary(api.catalogue.api.hosts.map { ($0.url, placed([$0])) }) { first, _ in first }
  }

  /// The API to call an operation by.
  func api(for operation: DynamicOperation) -> DynamicAPI {
    api.catalogue.api.host(of: operation.endpoint).flatMap { apis[$0.url] } ?? api
  }
}
