import Foundation

/// The resources that this process holds, where the system tells.
enum ProcessCounts {
  static var openFiles: Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

  /// To what each open file leads, for the message of a test that finds too many.
  static var namesOfOpenFiles: [String] {
    let folder = "/proc/self/fd"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map {
      "\($0) " + ((try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? "closed")
    }
  }

  static var residentBytes: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * 4096 } : nil
  }

  /// Threads by their name.
  static func threads(named name: String) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { id in
      let text = try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)
      return text?.trimmingCharacters(in: .newlines) == name
    }
  }
}
