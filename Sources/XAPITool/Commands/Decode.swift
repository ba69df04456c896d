import ArgumentParser
import Foundation
import XAPI
import XAPIv1

/// `xapi decode OPERATION`
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decodes an endpoint's answer as its method does.",
    discussion: """
      Reads the body of an answer, or one record of a stream, from standard input:

        xapi decode getStatusesShow < body.json

      and prints the model as JSON: what the catalogue does not know is left out, as is a null where nothing else tells
      it from a missing member. OPERATION is the method's name, of version 2 or 1.1. A body that the method would not
      accept is answered with the place and what is wrong there, and exit status 1.
      """)

  @Argument(help: "The method's name, such as getPostsById or getStatusesShow.")
  var operation: String

  @Flag(help: "Print without line breaks.")
  var compact = false

  func run() throws {
    guard let answer = OperationAnswer(named: operation) else {
      throw ValidationError("There is no operation '\(operation)'.\(OperationAnswer.suggestion(for: operation))")
    }
    let body = try FileHandle.standardInput.readToEnd() ?? Data()
    switch answer {
    case .none:
      StandardError.write("\(operation) decodes nothing: its answer has no JSON")
    case .json(let type):
      do throws(JSONError) {
        let document = try type.init(jsonData: body).jsonData(compact ? .compact : .pretty)
        try? FileHandle.standardOutput.write(contentsOf: document + [UInt8(ascii: "\n")])
      } catch {
        StandardError.write("error: \(error)")
        throw ExitCode.failure
      }
    }
  }
}
