import CallsignAuth
import CallsignX
import Foundation
import XSandbox

/// Measures how much memory the upload of a file takes. `serve` runs the sandbox in a separate process; `upload FILE` reads the
/// sandbox's address and made-up credentials from standard input. `Benchmarks/bench upload` starts both, and a test starts the
/// second.
@main
enum UploadProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "serve": try await serve()
    case "upload": try await upload(URL(fileURLWithPath: arguments.last ?? ""))
    default: print("UploadProbe serve | upload FILE")
    }
  }

  /// Says where it listens, then answers each upload ID with the upload's size and hash, until its input ends.
  private static func serve() async throws {
    let sandbox = try await Sandbox.start()
    let alice = sandbox.users.alice
    say(
      "\(sandbox.url.absoluteString) \(sandbox.app.consumerKey) \(sandbox.app.consumerSecret) "
        + "\(alice.accessToken) \(alice.accessTokenSecret)")
    while let line = await line() {
      let media = await sandbox.media(line)
      say("\(media?.size ?? 0) \(media?.sha256 ?? "none")")
    }
    await sandbox.stop()
  }

  private static func upload(_ file: URL) async throws {
    let words = (await line() ?? "").split(separator: " ").map(String.init)
    guard words.count == 5 else { return print("no address on standard input") }
    let x = XAPI(
      auth: .oauth1(
        OAuth1(consumerKey: words[1], consumerSecret: Secret(words[2]), token: words[3], tokenSecret: Secret(words[4]))),
      configuration: ClientConfiguration(hosts: .all(to: words[0])))
    // One-time needs of any call, such as libraries and connections, do not depend on the file's size.
    let small = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    for _ in 0..<4 { try await x.upload(data: small) }
    let before = kilobytes("VmRSS:")
    forgetPeak()
    let start = ContinuousClock().now
    let media = try await x.upload(
      file: file, type: .mp4, options: UploadOptions(processingTimeout: .zero))
    let seconds = Double((ContinuousClock().now - start).components.seconds)
    let peak = kilobytes("VmHWM:")
    say("\(media.id) \(before) \(peak) \(max(1, Int(seconds)))")
  }

  /// The next line of standard input, read on a separate thread.
  private static func line() async -> String? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: readLine()) }
    }
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  /// From Linux's `/proc/self/status`.
  private static func kilobytes(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// Resets the peak.
  private static func forgetPeak() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }
}
