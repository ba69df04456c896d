import CallsignJSON
import CallsignSupport

/// The bodies that an operation's errors have by status: an enum that is generated for each operation whose catalogue
/// says them.
///
/// ```swift
/// do {
///   try await petstore.updatePet(id: "7", name: "Rex")
/// } catch .api(let error) {
///   switch error.body(as: Petstore.UpdatePetError.self) {
///   case .notFound(let lost): print(lost.message)
///   case .clientError(let problem): print(problem.code ?? "")
///   case .unknown: print(error)
///   }
/// }
/// ```
public protocol ErrorCases: Sendable {
  /// The bodies by status.
  static var cases: [ErrorCase<Self>] { get }
  /// The case of a status that the catalogue does not have, and of a body that cannot be read.
  static var unknown: Self { get }
}

/// The body that an error of a status has, as a case of an enum.
public struct ErrorCase<Cases>: Sendable {
  let status: String
  let read: @Sendable (Data) -> Cases?

  /// Describes one.
  ///
  /// - Parameters:
  ///   - status: `404`, `4xx`, or `default` for all others.
  ///   - make: The enum's case.
  public init<Body: JSONDecodable & Sendable>(_ status: String, _ make: @escaping @Sendable (Body) -> Cases) {
    self.status = status
    read = { body in (try? ErrorBody.value(of: body)).map(make) }
  }

  /// The closeness of the case to a status: 3 by its number, 2 by its class, 1 as the default, 0 not at all.
  func closeness(to code: Int) -> Int {
    if status == "default" { return 1 }
    if status.hasSuffix("xx") { return status.hasPrefix("\(code / 100)") ? 2 : 0 }
    return status == "\(code)" ? 3 : 0
  }
}

extension APIError {
  /// The body as the case that the operation has for this status.
  ///
  /// - Parameter type: The operation's enum, such as `Petstore.UpdatePetError`.
  /// - Returns: `unknown` for a status that the catalogue does not have, and for a body that is something else.
  public func body<Cases: ErrorCases>(as type: Cases.Type) -> Cases {
    let code = status.code
    var best: (found: ErrorCase<Cases>, closeness: Int)?
    for candidate in Cases.cases {
      let closeness = candidate.closeness(to: code)
      if closeness > best?.closeness ?? 0 { best = (candidate, closeness) }
    }
    return best?.found.read(rawResponse.body) ?? .unknown
  }
}

extension CallError {
  /// The body of the API's response as the operation's case for its status.
  ///
  /// - Parameter type: The operation's enum, such as `Petstore.UpdatePetError`.
  /// - Returns: `nil` if the API did not respond, or if its response is not an error but could not be read; `unknown`
  ///   for a status that the catalogue does not have, and for a body that is something else.
  public func body<Cases: ErrorCases>(as type: Cases.Type) -> Cases? {
    refusal.map { APIError(rawResponse: $0).body(as: type) }
  }

  /// The API's response that refused the call; `nil` if there is none, or if it is a result that could not be read.
  private var refusal: RawResponse? {
    switch self {
    case .decoding, .unreadableResult, .unexpectedContent: nil
    default: rawResponse
    }
  }
}
