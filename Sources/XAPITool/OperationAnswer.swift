import CallsignX
import CallsignXv1

/// What an operation answers with.
enum OperationAnswer {
  /// Nothing that is decoded: no content, or raw bytes.
  case none
  /// JSON of this type.
  case json(any JSONDecodable.Type)

  /// Why a name stands for no operation.
  enum Failure: Error, Hashable {
    /// There is none; these are called alike.
    case unknown(similar: [String])
    /// Both versions have one; these names tell them apart.
    case ambiguous([String])
  }

  /// Finds the answer of a method: `getPostsById`, `getStatusesShow`, or with its client's name `XAPI.getListsMembers`.
  init(of operation: String) throws(Failure) {
    let versions = Version.allCases.filter { version in
      version.names.contains(operation) || version.qualifiedNames.contains(operation)
    }
    guard let version = versions.first else {
      throw .unknown(similar: Self.names(similarTo: operation))
    }
    guard versions.count == 1 else { throw .ambiguous(versions.map { "\($0.client).\(operation)" }) }
    let name = operation.split(separator: ".").last.map(String.init) ?? operation
    self = version.answerType(of: name).map { .json($0) } ?? .none
  }

  private static func names(similarTo operation: String) -> [String] {
    let wanted = operation.lowercased()
    guard wanted.count > 3 else { return [] }
    return Version.allCases.flatMap(\.names).filter { name in
      name.lowercased().contains(wanted) || wanted.contains(name.lowercased())
    }
  }
}

/// A version of the API.
private enum Version: CaseIterable {
  case two, onePointOne

  /// The type that carries its methods.
  var client: String {
    switch self {
    case .two: "XAPI"
    case .onePointOne: "XAPIv1"
    }
  }

  var names: [String] {
    switch self {
    case .two: XAPI.endpoints.map(\.name.description)
    case .onePointOne: XAPIv1.endpoints.map(\.name.description)
    }
  }

  var qualifiedNames: [String] { names.map { "\(client).\($0)" } }

  func answerType(of name: String) -> (any JSONDecodable.Type)? {
    switch self {
    case .two: XAPI.answerType(of: name)
    case .onePointOne: XAPIv1.answerType(of: name)
    }
  }
}
