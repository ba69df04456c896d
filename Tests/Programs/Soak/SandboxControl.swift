import Foundation
import XSandbox

/// The orders that a soak gives its sandbox, wherever that runs.
protocol SandboxControl: Sendable {
  func perform(_ command: SandboxCommand) async throws -> SandboxReply
}

enum SandboxCommand: Codable, Sendable {
  case start(SoakSettings)
  /// Lets Alice approve a login.
  case approve(URL)
  /// Adds a user with followers and posts.
  case addStar(followers: Int, posts: Int)
  case beginFaults
  /// From now on, all goes well.
  case endFaults
  /// The token is refused before it expires.
  case revoke(token: String)
  case media(id: String)
  case counts
  case stop
}

enum SandboxReply: Codable, Sendable {
  case started(SandboxAddress)
  case redirect(URL?)
  /// The user's id, and those of the posts, oldest first.
  case star(id: String, posts: [String])
  /// In hexadecimal; `nil` for an upload that is not complete.
  case media(sha256: String?, size: Int)
  case counts(SandboxCounts)
  /// An order that the sandbox could not carry out.
  case faultsEnded(problems: [String])
  case done
  case failed(String)
}

/// Where a sandbox is, and the credentials for it. They are of use nowhere else.
struct SandboxAddress: Codable, Sendable {
  var url: URL
  var consumerKey: String
  var consumerSecret: String
  var clientID: String
  var clientSecret: String?
  var aliceID: String
  var aliceToken: String
  var aliceTokenSecret: String
}

struct SandboxCounts: Codable, Sendable {
  var faults = 0
  var refreshes = 0
  var refusedRefreshes = 0
  /// Of the process that the sandbox runs in.
  var usage = ProcessUsage(memory: 0, own: 0, descriptors: 0)
}

/// A response that does not fit the command, or the sandbox's words for why there is none.
struct SandboxFailure: Error, CustomStringConvertible { var description: String }

/// A sandbox as the soak calls it.
struct RemoteSandbox: Sendable {
  let control: any SandboxControl
  let address: SandboxAddress

  static func start(_ settings: SoakSettings, _ control: any SandboxControl) async throws -> RemoteSandbox {
    guard case .started(let address) = try await control.perform(.start(settings)) else { throw misfit }
    return RemoteSandbox(control: control, address: address)
  }

  private static var misfit: SandboxFailure { SandboxFailure(description: "the sandbox's response fits no command") }

  func approve(_ url: URL) async throws -> URL? {
    guard case .redirect(let url) = try await control.perform(.approve(url)) else { throw Self.misfit }
    return url
  }

  func addStar(followers: Int, posts: Int) async throws -> (id: String, posts: [String]) {
    let response = try await control.perform(.addStar(followers: followers, posts: posts))
    guard case .star(let id, let posts) = response else { throw Self.misfit }
    return (id, posts)
  }

  func beginFaults() async throws { _ = try await control.perform(.beginFaults) }

  /// - Returns: The things that the sandbox could not do.
  func endFaults() async throws -> [String] {
    guard case .faultsEnded(let problems) = try await control.perform(.endFaults) else { throw Self.misfit }
    return problems
  }

  func revoke(token: String) async throws { _ = try await control.perform(.revoke(token: token)) }

  func media(_ id: String) async throws -> (sha256: String?, size: Int) {
    guard case .media(let sha256, let size) = try await control.perform(.media(id: id)) else { throw Self.misfit }
    return (sha256, size)
  }

  func counts() async throws -> SandboxCounts {
    guard case .counts(let counts) = try await control.perform(.counts) else { throw Self.misfit }
    return counts
  }

  func stop() async { _ = try? await control.perform(.stop) }
}
