import Foundation

/// The allocator's own count of what is in use, which resident memory hides: pages stay resident after what was on them
/// has been freed.
enum HeapStatistics {
  #if canImport(Darwin)
    static func allocatedBytes() -> Int? {
      var statistics = malloc_statistics_t()
      malloc_zone_statistics(nil, &statistics)
      return Int(statistics.size_in_use)
    }
  #elseif canImport(Glibc)
    /// `malloc_info`, which Swift's module of glibc leaves out; it writes XML to a file.
    private typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    private static let mallocInfo: MallocInfo? = dlsym(nil, "malloc_info").map {
      unsafeBitCast($0, to: MallocInfo.self)
    }

    static func allocatedBytes() -> Int? {
      guard let mallocInfo else { return nil }
      var text: UnsafeMutablePointer<CChar>?
      var size = 0
      guard let file = open_memstream(&text, &size) else { return nil }
      let result = mallocInfo(0, file)
      // The text is there when the file is closed.
      fclose(file)
      defer { free(text) }
      guard result == 0, let text else { return nil }
      return allocatedBytes(in: String(cString: text))
    }
  #else
    static func allocatedBytes() -> Int? { nil }
  #endif

  /// The bytes that the system gave for the heaps and for single large blocks, less what is free in the heaps.
  static func allocatedBytes(in mallocInfo: String) -> Int? {
    // The sums over all heaps come after the last of them.
    guard let end = mallocInfo.range(of: "</heap>", options: .backwards) else { return nil }
    var sizes: [String: Int] = [:]
    for line in mallocInfo[end.upperBound...].split(separator: "\n") {
      let words = line.split { " \"=<>/".contains($0) }.map(String.init)
      guard let element = words.first, let type = words.firstIndex(of: "type"), let size = words.firstIndex(of: "size"),
        type + 1 < words.count, size + 1 < words.count
      else { continue }
      sizes["\(element) \(words[type + 1])"] = Int(words[size + 1])
    }
    guard let heaps = sizes["system current"] else { return nil }
    return heaps + sizes["total mmap", default: 0] - sizes["total fast", default: 0] - sizes["total rest", default: 0]
  }
}
