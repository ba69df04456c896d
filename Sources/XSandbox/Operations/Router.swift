/// Finds what a request is for.
struct Router: Sendable {
  enum Destination: Sendable {
    case operation(Operation, path: [String: String])
    /// In the catalogue, but not implemented here.
    case catalogueOnly(String)
  }

  private struct Route: Sendable {
    var method: String
    var template: PathTemplate
    var path: String
    var operation: Operation?
  }

  /// Those with more literal segments first.
  private let routes: [Route]
  /// The first segments of the catalogue's paths. Below others, what isn't implemented may well exist.
  private let cataloguedVersions: Set<Substring>

  init(operations: [Operation], catalogue: [Sandbox.Endpoint]) {
    let implemented = operations.map {
      Route(method: $0.method, template: PathTemplate($0.path), path: $0.path, operation: $0)
    }
    let keys = Set(operations.map(\.key))
    let others = catalogue.filter { !keys.contains("\($0.method) \($0.path)") }.map {
      Route(method: $0.method, template: PathTemplate($0.path), path: $0.path, operation: nil)
    }
    routes = (implemented + others).sorted { $0.template.literalCount > $1.template.literalCount }
    cataloguedVersions = Set(catalogue.compactMap { $0.path.split(separator: "/").first })
  }

  func destination(of request: IncomingRequest) throws(Problem) -> Destination {
    guard let segments = request.segments else { throw .noSuchPath(request.method, request.path) }
    var allowed: Set<String> = []
    for route in routes {
      guard let values = route.template.match(segments) else { continue }
      guard route.method == request.method else {
        allowed.insert(route.method)
        continue
      }
      guard let operation = route.operation else { return .catalogueOnly("\(route.method) \(route.path)") }
      return .operation(operation, path: values)
    }
    if let version = segments.first, APIVersion.segments.contains(version), segments.count > 1,
      !cataloguedVersions.contains(version[...])
    {
      return .catalogueOnly("\(request.method) \(request.path)")
    }
    guard allowed.isEmpty else { throw .methodNotAllowed(allowed: Array(allowed)) }
    throw .noSuchPath(request.method, request.path)
  }
}
