import Foundation
import XSandbox

/// Causes faults in a sandbox, by a plan drawn from the seed.
struct FaultPlan: Sendable {
  let sandbox: Sandbox
  let settings: SoakSettings
  /// Faults of the sandbox itself, which fail the run.
  let problems = Problems()
  private let deadline = Deadline()

  private static let streamRefusals: [Sandbox.Fault] = [
    .status(503), .status(500), .cutBeforeResponse, .loseResponse, .proxyPage(status: 502), .delay(.milliseconds(200)),
    .rateLimited(),
  ]
  /// Nothing that loses a response: the only refresh token would be lost with it, and no client can recover from that.
  private static let tokenFaults: [Sandbox.Fault] = [
    .status(503), .proxyPage(status: 502), .cutBeforeResponse, .delay(.milliseconds(100)),
  ]

  /// Random faults of single requests.
  func begin() async {
    let (seed, probability) = (settings.seed, settings.faultProbability)
    func inject(_ operations: [String], _ faults: [Sandbox.Fault]) async {
      for (index, operation) in operations.enumerated() {
        await sandbox.inject(
          Sandbox.RandomFaults(probability: probability, seed: seed &+ UInt64(index), faults: faults), for: operation)
      }
    }
    await inject(
      Operations.reads + Operations.uploads + [Operations.createPost, Operations.deletePost],
      Sandbox.RandomFaults.usual)
    await inject(Operations.streams, Self.streamRefusals)
    await inject([Operations.token], Self.tokenFaults)
  }

  /// Faults that concern more than a single request, one after the other.
  func run() async {
    var chance = Chance(seed: settings.seed, for: "faults")
    while await !deadline.isOver {
      try? await Task.sleep(for: chance.seconds(0.2...1.2))
      await strike(&chance)
    }
    await sandbox.removeFaults()
    sandbox.removeStreamFaults()
  }

  private func strike(_ chance: inout Chance) async {
    switch chance.number(0...18) {
    case 0...7:
      // For the next connection of one stream.
      plan(chance.happens(0.5) ? Operations.filteredStream : Operations.statusStream, &chance)
    case 8...10: sandbox.interruptStreams(.cut(afterRecords: chance.number(0...5)))
    case 11...12: sandbox.interruptStreams(.end(afterRecords: chance.number(0...5)))
    case 13: sandbox.interruptStreams(.stall(afterRecords: chance.number(0...3)))
    case 14...15:
      sandbox.interruptStreams(.disconnect(Self.disconnection(&chance), afterRecords: chance.number(0...3)))
    case 16...17:
      let operation = Operations.reads[chance.number(0...(Operations.reads.count - 1))]
      await sandbox.inject(.rateLimited(.init(reset: Date(timeIntervalSinceNow: 1))), for: operation)
    default: await restart(&chance)
    }
  }

  private func plan(_ operation: String, _ chance: inout Chance) {
    switch chance.number(0...5) {
    case 0: sandbox.injectStream(.cut(afterRecords: chance.number(0...20)), for: operation)
    case 1: sandbox.injectStream(.cut(afterBytes: chance.number(0...5000)), for: operation)
    case 2: sandbox.injectStream(.split(every: chance.number(1...64)), for: operation)
    case 3: sandbox.injectStream(.slow(.milliseconds(1)), .split(every: chance.number(100...500)), for: operation)
    case 4:
      sandbox.injectStream(
        .split(every: chance.number(1...16)), .disconnect(Self.disconnection(&chance), afterRecords: 10), for: operation
      )
    default: sandbox.injectStream(.stall(afterRecords: chance.number(0...20)), for: operation)
    }
  }

  private static func disconnection(_ chance: inout Chance) -> Sandbox.StreamDisconnection {
    Sandbox.StreamDisconnection.allCases.randomElement(using: &chance) ?? .operational
  }

  /// The server is away for a moment, and all connections break.
  private func restart(_ chance: inout Chance) async {
    do { try await sandbox.refuseConnections(for: chance.seconds(0.05...0.4)) } catch {
      await problems.add("the sandbox could not come back: \(error)")
    }
  }

  /// From now on, all goes well.
  func end() async {
    await deadline.pass()
    await sandbox.removeFaults()
    sandbox.removeStreamFaults()
  }
}

/// SplitMix64: the same seed gives the same numbers on every system.
struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: The run's.
  ///   - purpose: Separates the users of the numbers, so that if one draws more, nothing changes for the others.
  init(seed: UInt64, for purpose: String) {
    state = purpose.utf8.reduce(seed &+ 0x51_7C_C1_B7_27_22_0A_95) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func seconds(_ range: ClosedRange<Double>) -> Duration { .seconds(Double.random(in: range, using: &self)) }
}
