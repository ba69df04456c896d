import ArgumentParser
import CallsignCommandLine
import CallsignX
import CallsignXv1
import Foundation

/// `xapi decode OPERATION`
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decodes an endpoint's response as its method does.",
    discussion: """
      Reads the body of a response, or one record of a stream, from standard input:

        xapi decode getStatusesShow < body.json

      and prints the model as JSON, without what the catalogue does not know and without nulls that say no more than a \
      missing member. Like the method, it skips parts that differ from the catalogue, and names them on \
      standard error. If the method would not accept the body, it says what is wrong and where, and the exit status \
      is 65. With --strict, every such part is an error.
      """)

  @Argument(
    help: ArgumentHelp(
      "The method's name: getPostsById, getStatusesShow.",
      discussion: "If both versions have one: XAPI.getListsMembers, XAPIv1.getListsMembers."))
  var operation: String

  @Flag(help: "Print without line breaks.")
  var compact = false

  @Flag(help: "Refuse a response that differs from the catalogue.")
  var strict = false

  func run() throws {
    let response: OperationResponse
    do throws(OperationResponse.Failure) { response = try OperationResponse(of: operation) } catch {
      throw ValidationError(Self.explain(error, operation))
    }
    let body: Data
    do throws(CommandLineError) { body = try StandardInput().read() } catch {
      StandardError.write("error: \(error)")
      throw error.status
    }
    switch response {
    case .none: StandardError.write("\(operation) decodes nothing: its response has no JSON")
    case .json(let type):
      let document: Data
      do throws(JSONError) {
        var issues: [DecodingIssue] = []
        let value = strict ? try type.init(jsonData: body) : try type.init(jsonData: body, issues: &issues)
        for issue in issues { StandardError.write("warning: \(issue)") }
        document = try value.jsonData(compact ? .compact : .pretty)
      } catch {
        StandardError.write("error: \(error)")
        throw ExitStatus.invalidInput
      }
      try Terminal().write(document + [UInt8(ascii: "\n")])
    }
  }

  private static func explain(_ failure: OperationResponse.Failure, _ operation: String) -> String {
    switch failure {
    case .unknown(let similar):
      "Unknown operation `\(operation)`."
        + (similar.isEmpty ? "" : " Did you mean \(similar.prefix(5).joined(separator: ", "))?")
    case .ambiguous(let names): "Both versions have `\(operation)`; say \(names.joined(separator: " or "))."
    }
  }
}

/// The type of an operation's response.
enum OperationResponse {
  /// Nothing to decode: no content, or raw bytes.
  case none
  /// JSON of this type.
  case json(any JSONDecodable.Type)

  /// The reason why a name does not identify an operation.
  enum Failure: Error, Hashable {
    /// There is no such operation; these are similar.
    case unknown(similar: [String])
    /// Both versions have one. These names distinguish them.
    case ambiguous([String])
  }

  /// Finds the response type of a method: `getPostsById`, `getStatusesShow`, or with its client's name `XAPI.getListsMembers`.
  init(of operation: String) throws(Failure) {
    let versions = Version.allCases.filter { version in
      version.names.contains(operation) || version.qualifiedNames.contains(operation)
    }
    guard let version = versions.first else {
      throw .unknown(similar: Self.names(similarTo: operation))
    }
    guard versions.count == 1 else { throw .ambiguous(versions.map { "\($0.client).\(operation)" }) }
    let name = operation.split(separator: ".").last.map(String.init) ?? operation
    self = version.responseType(of: name).map { .json($0) } ?? .none
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

  /// The type that has its methods.
  var client: String {
    switch self {
    case .two: "XAPI"
    case .onePointOne: "XAPIv1"
    }
  }

  var names: [String] {
    switch self {
    case .two: XAPI.endpoints.map(\.name)
    case .onePointOne: XAPIv1.endpoints.map(\.name)
    }
  }

  var qualifiedNames: [String] { names.map { "\(client).\($0)" } }

  func responseType(of name: String) -> (any JSONDecodable.Type)? {
    switch self {
    case .two: XAPI.responseType(of: name)
    case .onePointOne: XAPIv1.responseType(of: name)
    }
  }
}
