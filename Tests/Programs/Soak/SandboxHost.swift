import CallsignX
import CallsignXv1
import ChildProcesses
import Foundation
import XSandbox

/// A sandbox that carries out a soak's commands.
actor SandboxHost: SandboxControl {
  private var sandbox: Sandbox?
  private var settings = SoakSettings(seed: 0, minutes: 0)
  private var plan: FaultPlan?
  private var faults: Task<Void, Never>?

  func perform(_ command: SandboxCommand) async throws -> SandboxReply {
    if case .start(let settings) = command { return .started(try await start(settings)) }
    guard let sandbox else { throw SandboxFailure(description: "the sandbox has not been started") }
    switch command {
    case .start: return .done
    case .approve(let url): return .redirect(try await sandbox.approve(url, as: sandbox.users.alice).url)
    case .addStar(let followers, let posts): return try await addStar(sandbox, followers, posts)
    case .beginFaults:
      let plan = FaultPlan(sandbox: sandbox, settings: settings)
      await plan.begin()
      self.plan = plan
      faults = Task { await plan.run() }
      return .done
    case .endFaults: return .faultsEnded(problems: await endFaults())
    case .revoke(let token):
      await sandbox.revoke(token: token)
      return .done
    case .media(let id):
      let media = await sandbox.media(id)
      return .media(sha256: media?.sha256, size: media?.size ?? 0)
    case .counts:
      let counts = await sandbox.authorizationCounts()
      return .counts(
        SandboxCounts(
          faults: await sandbox.faultCount, refreshes: counts.refreshes, refusedRefreshes: counts.refusedRefreshes,
          usage: .now()))
    case .stop:
      _ = await endFaults()
      await sandbox.stop()
      self.sandbox = nil
      return .done
    }
  }

  private func start(_ settings: SoakSettings) async throws -> SandboxAddress {
    self.settings = settings
    var configuration = Sandbox.Configuration()
    configuration.limits = Dictionary(
      uniqueKeysWithValues: Operations.all.map { ($0, Sandbox.RateLimit(user: 1_000_000_000)) })
    configuration.requestLogCapacity = 4
    configuration.streamKeepAlive = .milliseconds(500)
    configuration.accessTokenLifetime = settings.accessTokenLifetime
    configuration.revokesOnRefreshTokenReuse = true
    let sandbox = try await Sandbox.start(configuration)
    self.sandbox = sandbox
    let (app, alice) = (sandbox.app, sandbox.users.alice)
    return SandboxAddress(
      url: sandbox.url, consumerKey: app.consumerKey, consumerSecret: app.consumerSecret, clientID: app.clientID,
      clientSecret: app.clientSecret, aliceID: alice.id, aliceToken: alice.accessToken,
      aliceTokenSecret: alice.accessTokenSecret)
  }

  private func addStar(_ sandbox: Sandbox, _ followers: Int, _ count: Int) async throws -> SandboxReply {
    let star = try await sandbox.addUser(username: "star", followers: followers)
    var posts: [String] = []
    for number in 1...count { posts.append(try await sandbox.addPost("Number \(number)", by: star)) }
    return .star(id: star.id, posts: posts)
  }

  private func endFaults() async -> [String] {
    await plan?.end()
    await faults?.value
    faults = nil
    return await plan?.problems.all ?? []
  }
}

/// A sandbox in a separate process, so that its memory does not count as the client's. It ends with this object, or with this
/// process.
///
/// `@unchecked Sendable`: the lock guards what changes.
final class SandboxProcess: SandboxControl, @unchecked Sendable {
  /// The argument that makes this program a sandbox instead of a soak.
  static let argument = "--sandbox"

  private let process = Process()
  private let input = Pipe.forChildProcess()
  private let lock = NSLock()
  /// Those who wait for a response, in the order of their commands.
  private var waiting: [CheckedContinuation<SandboxReply, any Error>] = []
  private var isOver = false

  /// - Parameter executable: This program.
  init(_ executable: URL) throws {
    process.executableURL = executable
    process.arguments = [Self.argument]
    process.standardInput = input
    let output = Pipe.forChildProcess()
    process.standardOutput = output
    try process.start()
    let handle = output.fileHandleForReading
    // A separate thread, because reading blocks.
    Thread.detachNewThread { [weak self] in
      for line in Lines(handle) { self?.received(line) }
      self?.end()
    }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func perform(_ command: SandboxCommand) async throws -> SandboxReply {
    let line = try JSONEncoder().encode(command) + [UInt8(ascii: "\n")]
    let response: SandboxReply = try await withCheckedThrowingContinuation { continuation in
      lock.withLock { () -> Void in
        guard !isOver else { return continuation.resume(throwing: Self.gone) }
        waiting.append(continuation)
        // Under the lock, so that commands are sent in the order of the waiting responses.
        do { try input.fileHandleForWriting.write(contentsOf: line) } catch {
          waiting.removeLast().resume(throwing: error)
        }
      }
    }
    if case .failed(let words) = response { throw SandboxFailure(description: words) }
    return response
  }

  private static var gone: SandboxFailure { SandboxFailure(description: "the sandbox's process has ended") }

  private func received(_ line: Data) {
    let waiter = lock.withLock { waiting.isEmpty ? nil : waiting.removeFirst() }
    waiter?.resume(with: Result { try JSONDecoder().decode(SandboxReply.self, from: line) })
  }

  private func end() {
    let waiters = lock.withLock {
      isOver = true
      defer { waiting = [] }
      return waiting
    }
    for waiter in waiters { waiter.resume(throwing: Self.gone) }
  }

  /// Carries out the commands of standard input, one after the other, until it ends.
  static func serve() async {
    let host = SandboxHost()
    let (lines, feed) = AsyncStream.makeStream(of: Data.self)
    Thread.detachNewThread {
      for line in Lines(.standardInput) { feed.yield(line) }
      feed.finish()
    }
    for await line in lines {
      var response: SandboxReply
      do {
        response = try await host.perform(try JSONDecoder().decode(SandboxCommand.self, from: line))
      } catch { response = .failed("\(error)") }
      guard let text = try? JSONEncoder().encode(response),
        (try? FileHandle.standardOutput.write(contentsOf: text + [UInt8(ascii: "\n")])) != nil
      else { break }
    }
    _ = try? await host.perform(.stop)
  }
}

/// The lines of a pipe, each as soon as it is there. Reading blocks.
private struct Lines: Sequence, IteratorProtocol {
  private let handle: FileHandle
  private var rest = Data()

  init(_ handle: FileHandle) { self.handle = handle }

  mutating func next() -> Data? {
    while true {
      if let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Data(rest[rest.index(after: newline)...]) }
        return Data(rest[..<newline])
      }
      let more = handle.availableData
      guard !more.isEmpty else { return nil }
      rest += more
    }
  }
}
