import CallsignAuth
import CallsignCatalogue
import CallsignCommandLine
import CallsignOpenAPI
import CallsignSupport
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A cache of catalogues split into excerpts, in `$XDG_CACHE_HOME/callsign/catalogues`, by default below `~/.cache`.
///
/// A file's name is derived from the bytes of its sources and from the program, so no entry becomes stale. A file appears
/// completely or not at all. A damaged file, or one that another user could have written, counts as missing. A catalogue that
/// cannot be cached is read again the next time.
struct CatalogueCache {
  /// A file that a document refers to, and its contents.
  struct Reference {
    let path: String
    /// The hash of its bytes; empty if it does not exist.
    let hash: String
  }

  private let folder: String?

  /// - Parameter environment: The environment. Default: that of the process. `CALLSIGN_NO_CACHE` with any value turns the cache
  ///   off.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard environment["CALLSIGN_NO_CACHE"]?.isEmpty ?? true, let home = path("HOME") ?? path("XDG_CACHE_HOME") else {
      folder = nil
      return
    }
    #if canImport(Darwin)
      let base = path("XDG_CACHE_HOME") ?? home + "/Library/Caches"
    #else
      let base = path("XDG_CACHE_HOME") ?? home + "/.cache"
    #endif
    folder = base + "/callsign/catalogues"
  }

  /// The key for the contents of some files, when read by this program; `nil` if the cache is off.
  func key(_ files: [(path: String, bytes: [UInt8])]) -> String? {
    guard folder != nil, let program = Self.program else { return nil }
    var text = "callsign 1\n\(program)\n"
    for file in files {
      guard let hash = Self.hash(file.bytes) else { return nil }
      text += "\(hash) \(file.path)\n"
    }
    return Self.hash(Array(text.utf8))
  }

  /// The executable's size and time, because another build may read the same files differently.
  private static var program: String? {
    guard let path = Bundle.main.executablePath else { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let time = status.modified
    return "\(path) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
  }

  static func hash(_ bytes: [UInt8]) -> String? {
    (try? Digest.hash(bytes, .sha256))?.hexadecimal
  }

  // MARK: Files

  private static let mark = Array("callsign excerpts 1\n".utf8)
  private static let sizeLimit = 128 << 20
  /// The maximum number of files. The newest are kept.
  private static let fileLimit = 48

  /// The excerpts stored under a key, unless a file that they refer to has changed.
  ///
  /// - Parameter read: Returns the bytes of a file that the document refers to.
  func excerpts(_ key: String, read: (String) -> [UInt8]?) -> CatalogueExcerpts? {
    guard let folder, let bytes = Self.read("\(folder)/\(key)"), bytes.starts(with: Self.mark) else { return nil }
    let (sum, rest) = (bytes.dropFirst(Self.mark.count).prefix(64), bytes.dropFirst(Self.mark.count + 64))
    guard Self.hash(Array(rest)).map({ sum.elementsEqual($0.utf8) }) == true else { return nil }
    // One line per reference, then an empty one.
    var place = rest
    while let end = place.firstIndex(of: 0x0A) {
      let line = place[..<end]
      place = place[(end + 1)...]
      if line.isEmpty { return CatalogueExcerpts(encoded: place) }
      let parts = String(decoding: line, as: UTF8.self).split(
        separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, (read(String(parts[1])).flatMap(Self.hash) ?? "") == parts[0] else { return nil }
    }
    return nil
  }

  /// Stores a catalogue. Errors are ignored, because the next call then reads the catalogue itself.
  func keep(_ excerpts: CatalogueExcerpts, _ key: String, references: [Reference]) {
    guard let folder, references.allSatisfy({ !$0.path.contains("\n") }) else { return }
    let head = references.map { "\($0.hash) \($0.path)\n" }.joined() + "\n"
    let rest = Array(head.utf8) + excerpts.encoded
    guard rest.count < Self.sizeLimit, let sum = Self.hash(rest) else { return }
    do {
      try PrivateFile.makeFolder(folder)
      guard PrivateFile.problem(at: folder) == nil else { return }
      try PrivateFile.write(Data(Self.mark + sum.utf8 + rest), to: "\(folder)/\(key)")
    } catch {
      return
    }
    prune(folder)
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o022 == 0, status.st_size < sizeLimit + 1_024, let data = try? handle.readToEnd()
    else { return nil }
    return [UInt8](data)
  }

  /// Removes the oldest files, and those left by an interrupted program.
  private func prune(_ folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard names.count > Self.fileLimit else { return }
    let dated = names.map { name -> (path: String, time: Int) in
      var status = stat()
      return ("\(folder)/\(name)", stat("\(folder)/\(name)", &status) == 0 ? Int(status.modified.tv_sec) : 0)
    }
    for file in dated.sorted(by: { $0.time > $1.time }).dropFirst(Self.fileLimit) { _ = unlink(file.path) }
  }
}
