import Foundation

/// The hosts of a run, each a network namespace: one with the provider, one with the database and this program, and some with
/// servers. A bridge in another namespace joins them.
///
/// Every program listens and connects on 127.0.0.1 as usual; relays in the namespaces carry the bytes from host to host.
struct FleetNetwork: Sendable {
  /// The prefix of the namespaces' names.
  let name: String
  static let serverHosts = 3
  /// Half of the delay between servers and everything else, in milliseconds.
  private static let delay = 100
  /// The percentage of packets that is lost.
  private static let loss = 5
  static let variable = "FLEET_NETWORK"

  enum Host: Hashable, Sendable {
    case provider, database
    case servers(Int)

    var address: String { "10.77.0.\(number)" }

    var label: String {
      switch self {
      case .provider: "api"
      case .database: "db"
      case .servers(let number): "s\(number)"
      }
    }

    private var number: Int {
      switch self {
      case .provider: 2
      case .database: 3
      case .servers(let number): 11 + number
      }
    }
  }

  static var hosts: [Host] { [.provider, .database] + (0..<serverHosts).map(Host.servers) }

  func namespace(_ host: Host) -> String { "\(name)-\(host.label)" }

  /// Why this machine cannot have such a network; `nil` when it can.
  static func obstacle() -> String? {
    guard geteuid() == 0 else { return "network namespaces need root" }
    let trial = "fleet\(ProcessInfo.processInfo.processIdentifier)-try"
    defer { run(["ip", "netns", "del", trial]) }
    guard run(["ip", "netns", "add", trial]), run(["ip", "-n", trial, "link", "add", "br0", "type", "bridge"]) else {
      return "this machine allows no network namespaces"
    }
    return nil
  }

  /// Whether packets can be delayed and lost by the system: otherwise the relays delay, and nothing is lost.
  func make() throws -> Bool {
    let hub = "\(name)-hub"
    try require(["ip", "netns", "add", hub])
    try require(["ip", "-n", hub, "link", "add", "br0", "type", "bridge"])
    try require(["ip", "-n", hub, "link", "set", "br0", "up"])
    var isShaped = true
    for host in Self.hosts {
      let space = namespace(host)
      try require(["ip", "netns", "add", space])
      try require([
        "ip", "-n", space, "link", "add", "eth0", "type", "veth", "peer", "name", host.label, "netns", hub,
      ])
      try require(["ip", "-n", hub, "link", "set", host.label, "master", "br0", "up"])
      try require(["ip", "-n", space, "addr", "add", "\(host.address)/24", "dev", "eth0"])
      for link in ["lo", "eth0"] { try require(["ip", "-n", space, "link", "set", link, "up"]) }
      if case .servers = host {
        // Both ways, since each end of the wire shapes what it sends.
        let shape = ["root", "netem", "delay", "\(Self.delay)ms", "loss", "\(Self.loss)%"]
        isShaped = isShaped && Self.run(["tc", "-n", space, "qdisc", "add", "dev", "eth0"] + shape)
        isShaped = isShaped && Self.run(["tc", "-n", hub, "qdisc", "add", "dev", host.label] + shape)
      }
    }
    return isShaped
  }

  func remove() {
    for host in Self.hosts { Self.run(["ip", "netns", "del", namespace(host)]) }
    Self.run(["ip", "netns", "del", "\(name)-hub"])
  }

  /// Drops everything that one host sends to another; packets in the other direction still arrive.
  func cut(_ host: Host, to other: Host) {
    Self.run(["ip", "-n", namespace(host), "route", "add", "blackhole", "\(other.address)/32"])
  }

  func mend(_ host: Host, to other: Host) {
    Self.run(["ip", "-n", namespace(host), "route", "del", "blackhole", "\(other.address)/32"])
  }

  /// The arguments of a relay that makes a port of a host's 127.0.0.1 known to the others.
  static func outward(_ port: Int, _ host: Host) -> [String] {
    ["\(host.address)", "\(port)", "127.0.0.1", "\(port)", "0"]
  }

  /// The arguments of a relay that makes another host's port one of 127.0.0.1.
  static func inward(_ port: Int, of other: Host, isDelayed: Bool) -> [String] {
    ["127.0.0.1", "\(port)", other.address, "\(port)", isDelayed ? "\(delay)" : "0"]
  }

  private func require(_ command: [String]) throws {
    guard Self.run(command) else { throw FleetFailure(description: "cannot run \(command.joined(separator: " "))") }
  }

  @discardableResult private static func run(_ command: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = environment
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// This process's, with the folders of the system's tools.
  static var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = "\(environment["PATH"] ?? "/usr/bin:/bin"):/usr/sbin:/sbin"
    return environment
  }
}
