import Callgrind
import Foundation

/// Does something so many times.
package typealias Work = @Sendable (Int) async throws -> Void

/// Work was asked for that there is none of, or it came out otherwise than it should.
package struct Unexpected: Error {
  package init() {}
}

/// A program of this package: does work by its name, as the scripts in `Benchmarks/internal` ask for it.
package enum WorkProgram {
  /// Does work in rounds that are asked for, so that they can be interleaved with those of other programs.
  ///
  /// A line asks by a name, a number of repetitions, and how many are in flight at once. The line that responses has the
  /// seconds of the clock and of this process's processor time.
  ///
  /// - Parameters:
  ///   - signature: The first line, by which peers show that they sign alike.
  ///   - make: The work of a name.
  package static func measure(signature: String, _ make: (String) throws -> Work) async throws {
    print(signature)
    fflush(nil)
    var known: [Substring: Work] = [:]
    while let line = readLine() {
      let parts = line.split(separator: " ")
      guard parts.count == 3, let repetitions = Int(parts[1]), let inFlight = Int(parts[2]), inFlight > 0 else {
        throw Unexpected()
      }
      let work = try known[parts[0]] ?? make(String(parts[0]))
      known[parts[0]] = work
      let (clock, processor) = (ContinuousClock.now, processorTime())
      if inFlight == 1 {
        try await work(repetitions)
      } else {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<inFlight { group.addTask { try await work(repetitions / inFlight) } }
          try await group.waitForAll()
        }
      }
      let seconds = (ContinuousClock.now - clock) / .seconds(1)
      print(seconds, processorTime() - processor)
      fflush(nil)
    }
  }

  /// Does work once that callgrind counts, after it was done a few times: what is set up once is counted by work of its own.
  ///
  /// - Parameters:
  ///   - isFirst: Whether it is counted from the first time.
  ///   - repetitions: How many times it is done then.
  package static func count(_ work: Work, isFirst: Bool, repetitions: Int) async throws {
    // Some of it is set up by the second time.
    if !isFirst { try await work(3) }
    callgrind_begin()
    try await work(repetitions)
    callgrind_end()
    print(repetitions)
  }

  /// Runs a program's asynchronous work to its end.
  ///
  /// No `await` in the main thread: it would end, and valgrind with it.
  package static func run(_ body: @escaping @Sendable () async throws -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do { try await body() } catch {
        print("\(error)")
        exit(1)
      }
      isDone.signal()
    }
    isDone.wait()
  }
}

/// The processor time that this process has had, in seconds: other work on the machine does not count.
package func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
