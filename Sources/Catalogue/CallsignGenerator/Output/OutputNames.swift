// The build plugin compiles this file, too (through a symbolic link): SwiftPM wants to know the names of the outputs
// before the tool has run.

/// The names of the Swift files that catalogue files become.
enum OutputNames {
  /// The extension of every generated file, by which a reader tells it from one written by hand.
  static let suffix = ".generated.swift"

  /// The names of the Swift files that each catalogue file becomes in the build of a module: `lists.generated.swift`, and
  /// of a large file also `lists_2.generated.swift` and so on.
  ///
  /// - Parameters:
  ///   - files: The catalogue files, and their sizes in bytes.
  ///   - taken: Names of other Swift files in the module.
  static func names(for files: [(path: String, size: Int)], avoiding taken: [String]) -> [[String]] {
    // A file's first name does not depend on how large others are.
    let names = names(for: files.map(\.path), avoiding: taken)
    var used = Set((taken + names).map { $0.lowercased() })
    return zip(files, names).map { file, name in
      let parts = max(1, (file.size + partSize / 2) / partSize)
      let stem = String(name.dropLast(suffix.count))
      return [name] + (1..<parts).map { _ in unusedName(stem, &used) }
    }
  }

  /// The size in bytes of a catalogue file that becomes one Swift file; of catalogues of large APIs, some 600 lines.
  ///
  /// The compiler's driver shares files out among the processors by number, in their order and at most 25 at a time. Many
  /// files of much the same size keep two processors busy to the end.
  private static let partSize = 4_000

  /// A name for each path, in their order: `lists.yaml` becomes `lists.generated.swift`.
  ///
  /// No two files of a module may have one name. Equal ones are told apart by the folders that they are in, and where
  /// that doesn't do, by number. Case does not tell names apart, because it does not on every disk.
  ///
  /// - Parameters:
  ///   - paths: The catalogue files.
  ///   - taken: Names of other Swift files in the module.
  static func names(for paths: [String], avoiding taken: [String] = []) -> [String] {
    var used = Set(taken.map { $0.lowercased() })
    let parts = paths.map { $0.split(separator: "/").map(String.init) }
    var stems = parts.map { stem($0.last ?? "catalogue") }
    for depth in 2...8 {
      let counts = Dictionary(stems.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
      if counts.values.allSatisfy({ $0 == 1 }) { break }
      for index in stems.indices where counts[stems[index].lowercased(), default: 0] > 1 {
        let folders = parts[index].dropLast().suffix(depth - 1)
        stems[index] = (folders + [stem(parts[index].last ?? "catalogue")]).joined(separator: "_")
      }
    }
    return stems.map { unusedName($0, &used) }
  }

  /// The stem, or the stem with the lowest number from two that makes a new name of it.
  private static func unusedName(_ stem: String, _ used: inout Set<String>) -> String {
    var name = stem + suffix
    var number = 2
    while !used.insert(name.lowercased()).inserted {
      name = "\(stem)_\(number)\(suffix)"
      number += 1
    }
    return name
  }

  private static func stem(_ file: String) -> String {
    for suffix in [".yaml", ".yml"] where file.lowercased().hasSuffix(suffix) {
      return String(file.dropLast(suffix.count))
    }
    return file
  }
}
