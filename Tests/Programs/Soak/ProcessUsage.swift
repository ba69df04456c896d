import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The memory and descriptors of a process.
struct ProcessUsage: Codable, Sendable {
  /// The resident memory, in bytes, including the pages of code and libraries.
  var memory: Int
  /// The process's own part of it: heap and stacks. The rest grows when code runs for the first time, and shrinks when the system
  /// needs its pages for something else.
  var own: Int
  /// The bytes that the program has allocated and not freed; `nil` if the system's allocator does not say.
  var heap: Int?
  var descriptors: Int

  static func now() -> ProcessUsage {
    #if canImport(Darwin)
      let folder = "/dev/fd"
    #else
      let folder = "/proc/self/fd"
    #endif
    // The listing itself uses one of them.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let (memory, own) = residentMemory()
    return ProcessUsage(
      memory: memory, own: own, heap: HeapStatistics.allocatedBytes(), descriptors: max(0, names.count - 1))
  }

  #if canImport(Darwin)
    private static func residentMemory() -> (all: Int, own: Int) {
      var info = task_vm_info_data_t()
      var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &info) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? (Int(info.resident_size), Int(info.phys_footprint)) : (0, 0)
    }
  #else
    private static func residentMemory() -> (all: Int, own: Int) {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n")
      func bytes(_ name: String) -> Int? {
        lines.first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
      }
      let all = bytes("VmRSS:") ?? 0
      // Linux before 4.5 does not report it.
      return (all, bytes("RssAnon:") ?? all)
    }
  #endif
}

/// The memory and descriptors of both processes, second by second, and whether they grow.
actor ProcessWatch {
  /// How much its own memory the client's process may add in each hour or part of an hour, after ``warmUp``. So a run of ten
  /// minutes may add as much as one of an hour: the allocator keeps a little of the freed memory, however short the run is.
  static let hourlyBound = 2 << 20
  /// In seconds. Until then, pools fill, and schemas and code are loaded.
  static let warmUp = 120
  /// The number of seconds after the warm-up that are needed to judge the client's memory.
  private static let shortestJudged = 60
  /// How much the sandbox may add in each hour begun. It remembers uploads, tokens and users, as a server does.
  private static let hourlySandboxBound = 48 << 20
  /// How many more descriptors may be open at the end, without any work in progress, than during the work.
  private static let descriptorBound = 4

  private var client: [ProcessUsage] = []
  private var sandbox: [ProcessUsage] = []

  /// One second's.
  func sample(_ sandbox: ProcessUsage, client: ProcessUsage = .now()) {
    self.client.append(client)
    self.sandbox.append(sandbox)
  }

  /// The middle one of some samples' values.
  private static func median(_ samples: some Sequence<ProcessUsage>, _ value: (ProcessUsage) -> Int) -> Int {
    let values = samples.map(value).sorted()
    return values.isEmpty ? 0 : values[values.count / 2]
  }

  /// The memory after the warm-up, and in the end, each the median of a tenth of the time between them, but of 20 seconds
  /// at least; `nil` for a run that is too short to say.
  private static func growth(
    _ samples: [ProcessUsage], _ value: (ProcessUsage) -> Int
  ) -> (from: Int, to: Int)? {
    let judged = samples.dropFirst(warmUp)
    guard judged.count >= shortestJudged else { return nil }
    let part = max(20, judged.count / 10)
    return (median(judged.prefix(part), value), median(judged.suffix(part), value))
  }

  /// The memory of both, minute by minute, and the descriptors.
  var lines: [String] {
    func curve(_ samples: [ProcessUsage], _ value: (ProcessUsage) -> Int = { $0.memory }) -> String {
      let minutes = stride(from: 0, to: samples.count, by: 60).map { Self.median(samples[$0...].prefix(60), value) }
      return minutes.map(\.megabytes).joined(separator: " ")
    }
    func descriptors(_ samples: [ProcessUsage]) -> String {
      let tenth = max(1, samples.count / 10)
      return "\(Self.median(samples.prefix(2 * tenth), \.descriptors)) → "
        + "\(Self.median(samples.suffix(tenth), \.descriptors))"
    }
    var lines = [
      "  memory     client \(curve(client)) MB, minute by minute",
      "             without code and libraries \(curve(client) { $0.own }) MB",
    ]
    if client.first?.heap != nil { lines.append("             of it allocated \(curve(client) { $0.heap ?? 0 }) MB") }
    lines += [
      "             sandbox \(curve(sandbox)) MB",
      "  files      client \(descriptors(client)), sandbox \(descriptors(sandbox)) descriptors",
    ]
    return lines
  }

  /// - Parameter rest: The client when all work has ended.
  func problems(atRest rest: ProcessUsage) -> [String] {
    var problems: [String] = []
    let hours = max(0, client.count - Self.warmUp - 1) / 3600 + 1
    func judge(
      _ name: String, _ samples: [ProcessUsage], _ hourlyBound: Int, _ value: (ProcessUsage) -> Int
    ) {
      let bound = hourlyBound * hours
      guard let (from, to) = Self.growth(samples, value), to - from > bound else { return }
      problems.append(
        "\(name) grows: \(from.megabytes) MB after \(Self.warmUp) s, \(to.megabytes) MB in the end; "
          + "the bound is \(bound.megabytes) MB more")
    }
    judge("the client's memory", client, Self.hourlyBound) { $0.own }
    // A slow leak first fills the allocator's holes, and shows late in the pages.
    judge("what the client has allocated", client, Self.hourlyBound) { $0.heap ?? 0 }
    judge("the sandbox's memory", sandbox, Self.hourlySandboxBound) { $0.own }
    let most = client.prefix(max(1, client.count * 3 / 10)).map(\.descriptors).max() ?? 0
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
