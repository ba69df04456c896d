import Callsign
import CallsignCatalogue
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
