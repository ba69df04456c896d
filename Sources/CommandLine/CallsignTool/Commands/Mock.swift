import ArgumentParser
import CallsignCommandLine
import CallsignMock
import CallsignMockServer
import Foundation

/// `callsign mock CATALOGUE`
struct Mock: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a server that responds to every operation of a catalogue by its types.",
    discussion: """
      Takes a catalogue's folder or file, or an OpenAPI or Swagger document, which is imported on the fly with the overlay \
      next to it. The address is printed on standard output; each request is a line on standard error, with the reasons \
      if it is refused, and without the values of keys and tokens. In a browser the address is a \
      console. Ends on an interrupt.
      """)

  @Argument(help: "The catalogue, or the OpenAPI document: a file, an `https` URL, or - for standard input.")
  var path: String

  @OptionGroup var references: ReferenceOptions

  @Option(help: "The port on 127.0.0.1; 0 for one that is free.")
  var port: UInt16 = 0

  @Option(help: "The number that determines all responses.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("The time that each response takes.", valueName: "milliseconds"))
  var latency: Int = 0

  @Flag(help: "Refuse parameters and members that the catalogue does not name.")
  var strict = false

  @Flag(help: "Accept calls without credentials.")
  var open = false

  @Flag(name: .shortAndLong, help: "Print the address only.")
  var quiet = false

  func validate() throws {
    guard (0...600_000).contains(latency) else { throw ValidationError("--latency is from 0 to 600000 milliseconds") }
  }

  func run() async throws {
    var settings = MockConfiguration(
      seed: seed, latency: .milliseconds(latency), isStrict: strict, requiresCredentials: !open)
    if !quiet { settings.onRequest = { StandardError.write(Self.line(of: $0)) } }
    let catalogue = try await CatalogueInput.reading { [path, quiet, folders = references.folders] in
      try CatalogueInput.catalogue(at: path, alsoIn: folders, isQuiet: quiet)
    }
    let mock = MockServer(catalogue, configuration: settings)
    let signals = Interrupts()
    let listener: MockListener
    do throws(MockError) { listener = try await mock.listen(port: port) } catch {
      StandardError.write("error: \(error)")
      throw ExitStatus.unavailable
    }
    do throws(ExitStatus) { try Terminal().write(listener.url.absoluteString + "\n") } catch {
      await listener.stop()
      throw error
    }
    await signals.wait()
    await listener.stop()
  }

  /// `GET /pets/7 → 200 getPet`, and the reasons if it was refused.
  private static func line(of request: MockRequest) -> String {
    ([request.description] + request.problems.map { "  \($0)" }).joined(separator: "\n")
  }
}
