import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The memory and descriptors of the process.
struct ProcessUsage: Sendable {
  /// The resident memory, in bytes.
  var memory: Int
  var descriptors: Int

  static func now() -> ProcessUsage {
    #if canImport(Darwin)
      let folder = "/dev/fd"
    #else
      let folder = "/proc/self/fd"
    #endif
    // One of them is the listing's own.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ProcessUsage(memory: residentMemory(), descriptors: max(0, names.count - 1))
  }

  #if canImport(Darwin)
    private static func residentMemory() -> Int {
      var info = mach_task_basic_info()
      var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &info) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? Int(info.resident_size) : 0
    }
  #else
    private static func residentMemory() -> Int {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      return (Int(line.filter(\.isNumber)) ?? 0) << 10
    }
  #endif
}

/// The memory and descriptors of the process, second by second, and whether they grow.
actor ProcessWatch {
  /// How much more memory the end may take than the time after the warm-up. Allocators keep some of what was freed, and the
  /// sandbox in the same process remembers users, tokens and the names of uploads.
  private static let memoryBound = 48 << 20
  /// How many more descriptors may be open in the end, when nothing is under way, than while everything was.
  private static let descriptorBound = 4

  private var samples: [ProcessUsage] = []

  func sample() { samples.append(.now()) }

  /// The middle of what was seen between two parts of the time so far.
  private func median(_ part: ClosedRange<Double>) -> ProcessUsage {
    guard let last = samples.indices.last else { return .now() }
    let range = Int(Double(last) * part.lowerBound)...Int(Double(last) * part.upperBound)
    func middle(_ value: (ProcessUsage) -> Int) -> Int { samples[range].map(value).sorted()[range.count / 2] }
    return ProcessUsage(memory: middle(\.memory), descriptors: middle(\.descriptors))
  }

  /// After the warm-up, which is a fifth of the time.
  var start: ProcessUsage { median(0.2...0.3) }
  var middle: ProcessUsage { median(0.45...0.55) }
  var end: ProcessUsage { median(0.9...1) }

  /// - Parameter rest: When all work has ended.
  func problems(atRest rest: ProcessUsage) -> [String] {
    var problems: [String] = []
    let growth = end.memory - start.memory
    if growth > Self.memoryBound {
      problems.append(
        "memory grows: \(start.memory.megabytes) MB after the warm-up, \(end.memory.megabytes) MB in the end; the bound is "
          + "\(Self.memoryBound.megabytes) MB more")
    }
    let most = samples.prefix(max(1, samples.count * 3 / 10)).map(\.descriptors).max() ?? 0
    if rest.descriptors > most + Self.descriptorBound {
      problems.append(
        "descriptors leak: at most \(most) while everything ran at first, \(rest.descriptors) when all work had ended")
    }
    return problems
  }
}

extension Int {
  /// Bytes, in MB with one digit.
  var megabytes: String {
    let tenths = (self * 10 + (1 << 19)) >> 20
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
