import CallsignCatalogue

/// The enum of an operation's error bodies, or of those that all operations share.
struct ErrorCasesPlan {
  struct Case {
    var name: String
    var status: String
    var type: String
  }

  var name: String
  /// The operation's method; `nil` for all operations.
  var method: String?
  /// Empty if another operation's enum is used.
  var cases: [Case] = []
  /// The enum of another operation with the same bodies.
  var original: String?
}

/// The enums of the error bodies of all operations: their names, which are unique among all types.
struct ErrorTypes {
  /// By the operation's name.
  private var names: [String: String] = [:]
  private var originals: [[String]: String] = [:]
  private let common: [ErrorBody]
  /// The name of the enum of the bodies that the API declares for all operations; `nil` if a single type is enough.
  let commonName: String?

  /// - Parameter taken: The names of other types. The names of the enums are added to it.
  init(_ catalogue: Catalogue, taken: inout Set<String>) {
    common = catalogue.api.everyCall.errors
    var name: String?
    if common.count > 1 {
      name = "ErrorBody"
      while let taking = name, !taken.insert(taking).inserted { name = "API" + taking }
    }
    commonName = name
    for endpoint in catalogue.groups.flatMap(\.endpoints) where !endpoint.errors.isEmpty {
      var name = SwiftName.type(endpoint.methodName) + "Error"
      while !taken.insert(name).inserted { name += "Body" }
      names[endpoint.name] = name
      let key = key(endpoint.errorBodies(with: common))
      if originals[key] == nil { originals[key] = name }
    }
  }

  func name(of endpoint: Endpoint) -> String? { names[endpoint.name] }

  func plan(_ endpoint: Endpoint, _ types: SwiftTypeNames) -> ErrorCasesPlan? {
    guard let name = names[endpoint.name] else { return nil }
    var plan = ErrorCasesPlan(name: name, method: endpoint.methodName)
    let bodies = endpoint.errorBodies(with: common)
    if let original = originals[key(bodies)], original != name {
      plan.original = original
    } else {
      plan.cases = Self.cases(bodies, types)
    }
    return plan
  }

  /// The enum of the bodies that all operations share.
  func commonPlan(_ types: SwiftTypeNames) -> ErrorCasesPlan? {
    commonName.map { ErrorCasesPlan(name: $0, method: nil, cases: Self.cases(common, types)) }
  }

  private static func cases(_ bodies: [ErrorBody], _ types: SwiftTypeNames) -> [ErrorCasesPlan.Case] {
    bodies.map { ErrorCasesPlan.Case(name: caseName($0.status), status: $0.status, type: types.base($0.type)) }
  }

  private func key(_ bodies: [ErrorBody]) -> [String] { bodies.map { "\($0.status) \($0.type.text)" } }

  /// `notFound` for 404, based on the phrases of RFC 9110 §15 and RFC 6585.
  private static func caseName(_ status: String) -> String {
    names[status] ?? "status\(status)"
  }

  private static let names = [
    "default": "other", "3xx": "redirection", "4xx": "clientError", "5xx": "serverError",
    "400": "badRequest", "401": "unauthorized", "402": "paymentRequired", "403": "forbidden", "404": "notFound",
    "405": "methodNotAllowed", "406": "notAcceptable", "408": "requestTimeout", "409": "conflict", "410": "gone",
    "412": "preconditionFailed", "413": "contentTooLarge", "415": "unsupportedMediaType",
    "422": "unprocessableContent", "423": "locked", "424": "failedDependency", "428": "preconditionRequired",
    "429": "tooManyRequests", "451": "unavailableForLegalReasons", "500": "internalServerError",
    "501": "notImplemented", "502": "badGateway", "503": "serviceUnavailable", "504": "gatewayTimeout",
  ]
}
