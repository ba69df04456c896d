import CallsignCatalogue
import CallsignHTTP
import Foundation
import HTTPTypes

/// The parts of a mock that a console shows.
extension MockServer {
  /// The requests with a greater number, oldest first, limited to the last `limit` ones. The first request since the start has
  /// number 1.
  package func numberedRequests(
    after number: Int, atMost limit: Int
  ) -> [(number: Int, request: MockRequest)] {
    let (requests, count) = recorded
    let new = requests.suffix(max(0, min(count - number, limit)))
    return new.enumerated().map { (count - new.count + 1 + $0.offset, $0.element) }
  }

  /// Whether an operation has a request's method and path.
  package func hasOperation(for request: IncomingRequest) -> Bool {
    routes(request).contains { $0.endpoint.method == request.method }
  }

  /// Adds credentials that the operation accepts to a request: those of the first kind in its list, and of no real account.
  package func addCredentials(to request: inout IncomingRequest, for endpoint: Endpoint) {
    for part in endpoint.auth.first?.all ?? [] { credentials.add(part.scheme, to: &request) }
  }
}

extension CredentialCheck {
  /// Adds credentials of one kind to a request.
  fileprivate func add(_ name: String, to request: inout IncomingRequest) {
    if let key = keyPlace(name) {
      let value = (key.prefix ?? "") + "console"
      switch key.part {
      case .header: HTTPField.Name(key.name).map { request.headers[$0] = value }
      case .query:
        let pair = "\(PercentEncoding.encode(key.name))=\(PercentEncoding.encode(value))"
        request.query = request.query.map { $0 + "&" + pair } ?? pair
      case .cookie:
        request.headers[.cookie] = (request.headers[.cookie].map { $0 + "; " } ?? "") + "\(key.name)=\(value)"
      }
      return
    }
    switch name {
    case "oauth1": request.headers[.authorization] = "OAuth oauth_consumer_key=\"console\", oauth_signature=\"console\""
    case "oauth2", "bearer": request.headers[.authorization] = "Bearer console"
    case "basic": request.headers[.authorization] = "Basic " + Data("console:console".utf8).base64EncodedString()
    case "digest": request.headers[.authorization] = "Digest username=\"console\""
    default: break
    }
  }
}
