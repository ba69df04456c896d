import ArgumentParser
import CallsignCatalogue
import CallsignMock
import CallsignMockServer
import CallsignOpenAPI
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `callsign mock CATALOGUE`
struct Mock: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a server that answers every operation of a catalogue by its types.",
    discussion: """
      Takes a catalogue's folder or file, or an OpenAPI or Swagger document, which is imported on the fly with the overlay \
      beside it. The address is printed on standard output; each request is a line on standard error, with the reasons \
      where it is refused and without the values of keys and tokens. Ends on an interrupt.
      """)

  @Argument(help: "The catalogue, or the OpenAPI document.")
  var path: String

  @Option(help: "The port on 127.0.0.1; 0 for one that is free.")
  var port: UInt16 = 0

  @Option(help: "The number from which all answers follow.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("The time that each answer takes.", valueName: "milliseconds"))
  var latency: Int = 0

  @Flag(help: "Refuse parameters and members that the catalogue does not name.")
  var strict = false

  @Flag(help: "Answer calls without credentials.")
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
    let mock = MockServer(try catalogue(), configuration: settings)
    let signals = EndingSignals()
    let listener: MockListener
    do throws(MockError) { listener = try await mock.listen(port: port) } catch {
      StandardError.write("error: \(error)")
      throw ExitCode.failure
    }
    try FileHandle.standardOutput.write(contentsOf: Data((listener.url.absoluteString + "\n").utf8))
    await signals.wait()
    await listener.stop()
  }

  /// `GET /pets/7 → 200 getPet`, and the reasons of a refusal.
  private static func line(of request: MockRequest) -> String {
    ([request.description] + request.problems.map { "  \($0)" }).joined(separator: "\n")
  }

  private func catalogue() throws -> Catalogue {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      StandardError.write("\(path): error: there is no such file or folder")
      throw InputFile.noInput
    }
    if !isFolder.boolValue {
      let bytes = try InputFile.bytes(path)
      if OpenAPIImporter.looksLikeDocument(bytes) { return try imported(bytes) }
    }
    let result = CatalogueLoader().load(folder: path)
    for diagnostic in result.diagnostics where diagnostic.severity == .error { StandardError.write("\(diagnostic)") }
    guard let catalogue = result.catalogue else { throw InputFile.invalidInput }
    return catalogue
  }

  private func imported(_ bytes: [UInt8]) throws -> Catalogue {
    let overlay = try OverlayFile(given: nil, beside: [path])
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let options = ImportOptions(
      readFile: { file in (try? Data(contentsOf: folder.appending(path: file))).map { [UInt8]($0) } })
    do throws(ImportError) {
      return try OpenAPIImporter(options: options, overlay: overlay?.overlay, adopted: [:]).importDocument(bytes)
        .catalogue
    } catch {
      throw InputFile.invalid(path, error)
    }
  }
}

/// Waits for SIGINT or SIGTERM, which then no longer end the process by themselves.
private final class EndingSignals {
  private let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (arrivals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.arrivals = arrivals
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }

  func wait() async {
    for await _ in arrivals { return }
  }
}
