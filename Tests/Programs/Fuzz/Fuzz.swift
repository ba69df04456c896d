import Foundation
import TestSupport

#if DEBUG || CALLSIGN_FUZZ
  /// Feeds one reader with generated inputs, for `Scripts/fuzz`. A crash, a broken promise or an input that takes too long ends the
  /// process, and the input stays in a file.
  @main
  struct Fuzz {
    static func main() {
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard arguments.count == 4, let target = FuzzTarget.all[arguments[0]], let seconds = Int(arguments[1]) else {
        let names = FuzzTarget.all.keys.sorted().joined(separator: "\n")
        FileHandle.standardError.write(Data("usage: Fuzz TARGET SECONDS CORPUS FINDINGS; targets:\n\(names)\n".utf8))
        exit(2)
      }
      FuzzTarget.chosen = target
      #if CALLSIGN_LIBFUZZER
        exit(LibFuzzer.run(seconds: seconds, corpus: arguments[2], findings: arguments[3]))
      #else
        SeededFuzzer(corpus: arguments[2], findings: arguments[3]).run(seconds: seconds)
      #endif
    }
  }

  #if CALLSIGN_LIBFUZZER
    /// The compiler's own fuzzer, which is guided by the code that an input reaches.
    private enum LibFuzzer {
      // Pointers and integers are passed alike in Swift and in C.
      @_silgen_name("LLVMFuzzerRunDriver")
      private static func drive(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
      ) -> CInt

      static func run(seconds: Int, corpus: String, findings: String) -> CInt {
        // New interesting inputs go into the first folder.
        let own = findings + "/corpus"
        try? FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let words = [
          "Fuzz", "-max_total_time=\(seconds)", "-timeout=10", "-rss_limit_mb=2048", "-max_len=4096", "-detect_leaks=0",
          "-print_final_stats=1", "-verbosity=0", "-artifact_prefix=\(findings)/",
          "-seed=\(ProcessInfo.processInfo.environment["CALLSIGN_FUZZ_SEED"] ?? "0")", own, corpus,
        ]
        // libFuzzer keeps these for as long as the process lives.
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: words.count + 1)
        for (place, word) in words.enumerated() { list?[place] = strdup(word) }
        list?[words.count] = nil
        var count = CInt(words.count)
        return drive(&count, &list) { bytes, count in
          FuzzTarget.chosen?(UnsafeBufferPointer(start: bytes, count: count))
          return 0
        }
      }
    }
  #endif

  /// Changes the corpus's inputs at random, if the toolchain has no fuzzer. The seed is printed; it is the day's seed unless
  /// `CALLSIGN_FUZZ_SEED` names another.
  private struct SeededFuzzer {
    private let inputs: [[UInt8]]
    private let findings: String
    private let seed: UInt64

    init(corpus: String, findings: String) {
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: corpus)) ?? []).sorted()
      let files = names.compactMap { FileManager.default.contents(atPath: "\(corpus)/\($0)").map(Array.init) }
      inputs = files.isEmpty ? [[]] : files
      self.findings = findings
      let given = ProcessInfo.processInfo.environment["CALLSIGN_FUZZ_SEED"].flatMap(UInt64.init)
      seed = given ?? UInt64(Date().timeIntervalSince1970) / 86_400
    }

    func run(seconds: Int) {
      let end = ContinuousClock.now + .seconds(seconds)
      var random = SeededGenerator(seed: seed)
      let last = findings + "/last-input"
      var count = 0
      for input in inputs { test(input) }
      while ContinuousClock.now < end {
        var bytes = inputs[Int(random.next() % UInt64(inputs.count))]
        for _ in 0..<(1 + random.next() % 6) { change(&bytes, &random) }
        // Every thousandth input is written down, with the number from which it can be repeated.
        if count % 1_000 == 0 {
          try? Data("seed \(seed), input \(count)\n".utf8).write(to: URL(fileURLWithPath: last))
        }
        test(bytes)
        count += 1
      }
      print("\(count) inputs, seed \(seed)")
    }

    private func test(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { FuzzTarget.chosen?($0) } }

    private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
      let pieces = [
        "{", "}", "[", "]", "\"", ":", ",", "\\u", "\n", "\r\n", " ", "%", "&", "=", "<", ">", "-", "0", "é", "😀",
      ]
      let place = bytes.isEmpty ? 0 : Int(random.next() % UInt64(bytes.count))
      let end = min(bytes.count, place + 1 + Int(random.next() % 40))
      switch random.next() % 6 {
      case 0 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1 where !bytes.isEmpty: bytes.removeSubrange(place..<end)
      case 2 where bytes.count < 4096: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      case 3:
        let other = inputs[Int(random.next() % UInt64(inputs.count))]
        if !other.isEmpty, bytes.count < 4096 {
          let start = Int(random.next() % UInt64(other.count))
          bytes.insert(contentsOf: other[start..<min(other.count, start + 60)], at: place)
        }
      case 4: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      default: bytes.insert(contentsOf: pieces[Int(random.next() % UInt64(pieces.count))].utf8, at: place)
      }
    }
  }
#else
  /// Release builds cannot see what is fuzzed; `Scripts/fuzz` builds one that can.
  @main
  struct Fuzz {
    static func main() { print("usage: Scripts/fuzz TARGET|all SECONDS") }
  }
#endif
