import ArgumentParser
import Callsign
import CallsignAuth
import CallsignCommandLine
import CallsignX
import Foundation

/// `xapi upload FILE`
struct UploadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Uploads a picture, GIF, video or subtitles.",
    discussion: """
      Prints X's response about the media, including its id for a post:

        id=$(xapi upload cat.jpg --alt "A cat on a keyboard" --filter id --raw)
        xapi createPosts --text "look" --media.media_ids "$id"

      A file of any size is sent in chunks, several at a time, with retries. The command waits until X has processed it. \
      Continue an upload that stopped or was interrupted with --resume.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("A description of the picture for people who cannot see it.", valueName: "text"))
  var alt: String?

  @Option(name: .customLong("for"), help: ArgumentHelp("post, message or ad.", valueName: "purpose"))
  var purpose: Purpose = .post

  @Option(help: ArgumentHelp("Its media type, instead of the one that its first bytes show.", valueName: "type"))
  var type: String?

  @Option(
    help: ArgumentHelp(
      "Subtitles of a video, as FILE:LANGUAGE:NAME, such as en.srt:en:English; can be given several times.",
      valueName: "file"))
  var subtitles: [String] = []

  @Flag(help: "Allow its use in several direct messages.")
  var shared = false

  @Flag(help: "Continue an upload of the same file that stopped.")
  var resume = false

  @Option(help: ArgumentHelp("The bytes of a chunk.", valueName: "bytes"))
  var chunkSize = 4 << 20

  @OptionGroup var access: AccessOptions

  @Option(name: .shortAndLong, help: "json, lines, table, yaml or csv.")
  var output: OutputFormat = .json

  @Option(help: ArgumentHelp("Pick from the response by JMESPath.", valueName: "expression"))
  var filter: String?

  @Flag(name: .shortAndLong, help: "Write texts without quotation marks.")
  var raw = false

  enum Purpose: String, ExpressibleByArgument, CaseIterable {
    case post, message, ad

    var upload: UploadPurpose {
      switch self {
      case .post: .post
      case .message: .directMessage
      case .ad: .advertisement
      }
    }
  }

  func validate() throws {
    guard chunkSize >= 1 else { throw ValidationError("--chunk-size is from 1 byte on.") }
    for text in subtitles { _ = try Self.subtitles(text) }
    try CallWords.validate(filter: filter)
  }

  private static func subtitles(_ text: String) throws -> SubtitleFile {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, parts.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("--subtitles is FILE:LANGUAGE:NAME, such as en.srt:en:English.")
    }
    let path = parts.dropLast(2).joined(separator: ":")
    return SubtitleFile(
      URL(fileURLWithPath: path), language: parts[parts.count - 2], displayName: parts[parts.count - 1])
  }

  func run() async throws {
    let status = await CommandRun().run { try await upload() }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func upload() async throws {
    let terminal = Terminal()
    let credentials = try XCredentials(access)
    var configuration = ClientConfiguration()
    let place = try credentials.place()
    if let place { configuration.hosts = .all(to: place) }
    let x = XAPI(auth: try await credentials.authenticators(XCredentials.api()), configuration: configuration)
    let url = URL(fileURLWithPath: (file as NSString).expandingTildeInPath)
    let checkpoint = try UploadCheckpoint(url, place: place, user: access.profile ?? access.account)
    var resumption = try resume ? checkpoint.load() : nil
    if resume, resumption == nil {
      terminal.report("note: no upload of this file has stopped; starting from the beginning")
    }
    if !resume, try checkpoint.load() != nil {
      terminal.report("note: an earlier upload of this file has stopped; continue it with --resume")
    }
    var options = UploadOptions(chunkSize: chunkSize)
    options.checkpoint = { checkpoint.save($0) }
    while true {
      do throws(UploadError) {
        let media = try await x.upload(
          file: url, type: type.map(MediaFormat.init(rawValue:)), for: purpose.upload, altText: alt,
          subtitles: try Self.files(subtitles), shared: shared ? true : nil, resuming: resumption, options: options
        ) { terminal.progress(Self.line($0).text(width: terminal.width)) }
        terminal.endProgress()
        checkpoint.remove()
        let value = try? JSONValue(jsonData: (try? media.jsonData()) ?? Data())
        let filter = try? filter.map(CallWords.filter)
        let writer = ResultWriter(output, fields: [], terminal: terminal, filter: filter, writesRawText: raw)
        return try await Self.write(value ?? .null, writer)
      } catch {
        terminal.endProgress()
        if case .cannotResume = error.cause, resumption != nil {
          terminal.report("note: the file has changed since; it is uploaded from the beginning")
          resumption = nil
          checkpoint.remove()
          continue
        }
        if let point = error.resumption {
          checkpoint.save(point)
          terminal.report(Self.advice(error, point))
        } else {
          checkpoint.remove()
        }
        throw error
      }
    }
  }

  private static func files(_ texts: [String]) throws(UploadError) -> [SubtitleFile] {
    texts.compactMap { try? subtitles($0) }
  }

  private static func write(_ value: JSONValue, _ writer: ResultWriter) async throws(UploadError) {
    // The upload is done. The exit status reflects whether its result could be written.
    do { try writer.write(value, items: nil) } catch let status as ExitStatus {
      Foundation.exit(status.rawValue)
    } catch {
      StandardError.write("error: the filter does not fit the response: \(error)")
      Foundation.exit(ExitStatus.invalidInput.rawValue)
    }
  }

  /// `███░░  64 %  41.2 of 64.0 MB`, and then X's processing.
  private static func line(_ progress: UploadProgress) -> ProgressLine {
    let total = ProgressLine.bytes(progress.totalBytes)
    switch progress.phase {
    case .sending:
      return ProgressLine(
        done: progress.sentBytes, total: progress.totalBytes,
        words: "\(ProgressLine.bytes(progress.sentBytes)) of \(total)")
    case .processing(let percent?):
      return ProgressLine(done: percent, total: 100, words: "\(total) sent, X processes it")
    case .processing: return ProgressLine(done: 1, total: nil, words: "\(total) sent, X processes it …")
    case .finished: return ProgressLine(done: 1, total: 1, words: total)
    }
  }

  private static func advice(_ error: UploadError, _ point: UploadResumption) -> String {
    if case .call(_, .describe) = error.cause {
      let id = error.uploadID ?? point.uploadID
      return "The file is uploaded, with the id \(id); the same command with --resume adds the rest."
    }
    return "It stopped at \(state(of: point)); continue with the same command and --resume."
  }

  private static func state(of point: UploadResumption) -> String {
    if point.isFinished { return "X's processing" }
    let sent = min(point.size, point.finishedChunks.count * point.chunkSize)
    return "\(ProgressLine.bytes(sent)) of \(ProgressLine.bytes(point.size))"
  }
}

extension OutputFormat: ExpressibleByArgument {}

/// Stores how far an upload has come, in a file in `$XDG_STATE_HOME/callsign/uploads`, by default below `~/.local/state`.
struct UploadCheckpoint: Sendable {
  private let path: String

  /// - Parameters:
  ///   - file: The file to upload.
  ///   - place: The server that receives it, if not X.
  ///   - user: The user whose credentials are used, if one is named.
  init(_ file: URL, place: String?, user: String?) throws(CommandLineError) {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/state"
    let subject = [file.standardizedFileURL.path, place ?? "", user ?? ""].joined(separator: "\n")
    guard let name = try? Digest.hash(Array(subject.utf8), .sha256).hexadecimal else {
      throw CommandLineError("the system's cryptography cannot be used")
    }
    path = "\(state)/callsign/uploads/\(name.prefix(32)).json"
  }

  /// The point where an upload stopped. A damaged file counts as missing.
  func load() throws(CommandLineError) -> UploadResumption? {
    guard let data = try PrivateFile.read(path, as: "the upload's state") else { return nil }
    return try? JSONDecoder().decode(UploadResumption.self, from: data)
  }

  /// Stores a point. If that fails, the upload continues.
  func save(_ point: UploadResumption) {
    guard let data = try? JSONEncoder().encode(point) else { return }
    try? PrivateFile.makeFolder((path as NSString).deletingLastPathComponent)
    try? PrivateFile.write(data, to: path)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
