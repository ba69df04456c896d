import Callgrind
import Foundation

/// Repeats work a number of times.
package typealias Work = @Sendable (Int) async throws -> Void

/// The requested work does not exist, or had an unexpected result.
package struct Unexpected: Error {
  package init() {}
}

/// A program of this package: runs work by name, as requested by the scripts in `Benchmarks/internal`.
package enum WorkProgram {
  /// Runs work in rounds on request, so that they can be interleaved with those of other programs.
  ///
  /// A request is a line with a name, a number of repetitions, and the number of concurrent runs. The response is a line with the
  /// wall-clock seconds and this process's processor time.
  ///
  /// - Parameters:
  ///   - signature: The first line, which shows that the compared programs sign alike.
  ///   - make: Makes the work with a name.
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

  /// Runs work that callgrind counts, after a few uncounted runs. One-time setup is counted by separate work.
  ///
  /// - Parameters:
  ///   - isFirst: Whether counting starts with the first run.
  ///   - repetitions: The number of counted runs.
  package static func count(_ work: Work, isFirst: Bool, repetitions: Int) async throws {
    // Some setup happens only in the second run.
    if !isFirst { try await work(3) }
    callgrind_begin()
    try await work(repetitions)
    callgrind_end()
    print(repetitions)
  }

  /// Runs a program's asynchronous work to its end.
  ///
  /// The main thread must not use `await`, because it would end, and valgrind with it.
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

/// The processor time of this process in seconds. Other work on the machine does not count.
package func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// The most memory that this process has had, in bytes.
package func peakMemory() -> Int {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss)
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) << 10
  #endif
}
