import Callsign
import CallsignAuth
import Foundation

/// The call of one step, as the arguments say: the server's base URL, the step, and its values.
struct Step {
  let name: String
  let values: [String]
  let configuration: ClientConfiguration

  /// Makes the call of the step that the arguments name. A call that fails says why on standard error, and the exit status is 1.
  static func run(_ call: (Step) async throws -> Void) async {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else {
      write("usage: \(arguments[0]) BASE-URL STEP [VALUE …]\n", to: .standardError)
      exit(64)
    }
    let step = Step(
      name: arguments[2], values: Array(arguments.dropFirst(3)),
      configuration: ClientConfiguration(hosts: .all(to: arguments[1])))
    do { try await call(step) } catch {
      write("\(error)\n", to: .standardError)
      exit(1)
    }
  }

  /// A value that is a UUID.
  func uuid(_ index: Int) throws -> UUID {
    guard let id = UUID(uuidString: values[index]) else { throw UnknownValue(text: values[index]) }
    return id
  }

  /// Writes a value as a line of JSON.
  func show(_ value: some JSONEncodable) throws { Self.write(try value.jsonString() + "\n", to: .standardOutput) }

  /// Writes content as it came.
  func show(_ content: ResponseContent) async throws {
    switch content {
    case .json(let value): try show(value)
    case .text(let text): Self.write(text, to: .standardOutput)
    case .bytes(let bytes): show(bytes)
    case .events(let records), .lines(let records):
      for try await record in records { try show(record) }
    }
  }

  /// Writes bytes as they are.
  func show(_ bytes: Data) { FileHandle.standardOutput.write(bytes) }

  private static func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }
}

/// The program makes no call for a step.
struct UnknownStep: Error {
  let name: String
}

/// An argument is not of the type that its step needs.
struct UnknownValue: Error {
  let text: String
}
