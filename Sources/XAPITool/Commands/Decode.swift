import ArgumentParser
import CallsignX
import CallsignXv1
import Foundation

/// `xapi decode OPERATION`
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decodes an endpoint's answer as its method does.",
    discussion: """
      Reads the body of an answer, or one record of a stream, from standard input:

        xapi decode getStatusesShow < body.json

      and prints the model as JSON, without what the catalogue does not know and without nulls that say no more than a
      missing member. Of a body that the method would not accept it says where and what is wrong, and the exit status
      is 1.
      """)

  @Argument(
    help: ArgumentHelp(
      "The method's name: getPostsById, getStatusesShow.",
      discussion: "Where both versions have one: XAPI.getListsMembers, XAPIv1.getListsMembers."))
  var operation: String

  @Flag(help: "Print without line breaks.")
  var compact = false

  func run() throws {
    let answer: OperationAnswer
    do throws(OperationAnswer.Failure) { answer = try OperationAnswer(of: operation) } catch {
      throw ValidationError(Self.explain(error, operation))
    }
    let body = try FileHandle.standardInput.readToEnd() ?? Data()
    switch answer {
    case .none: StandardError.write("\(operation) decodes nothing: its answer has no JSON")
    case .json(let type):
      let document: Data
      do throws(JSONError) {
        document = try type.init(jsonData: body).jsonData(compact ? .compact : .pretty)
      } catch {
        StandardError.write("error: \(error)")
        throw ExitCode.failure
      }
      try FileHandle.standardOutput.write(contentsOf: document + [UInt8(ascii: "\n")])
    }
  }

  private static func explain(_ failure: OperationAnswer.Failure, _ operation: String) -> String {
    switch failure {
    case .unknown(let similar):
      "There is no operation '\(operation)'."
        + (similar.isEmpty ? "" : " Did you mean \(similar.prefix(5).joined(separator: ", "))?")
    case .ambiguous(let names): "Both versions have '\(operation)'; say \(names.joined(separator: " or "))."
    }
  }
}
