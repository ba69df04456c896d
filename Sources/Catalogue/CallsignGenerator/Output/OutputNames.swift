// The build plugin also compiles this file (through a symbolic link), because SwiftPM needs the names of the outputs before the
// tool runs.

/// The names of the Swift files that catalogue files become.
enum OutputNames {
  /// The suffix of every generated file, which distinguishes it from files written by hand.
  static let suffix = ".generated.swift"

  /// The names of the Swift files for each catalogue file in the build of a module: `lists.generated.swift` and, for a large file,
  /// also `lists_2.generated.swift` and so on.
  ///
  /// - Parameters:
  ///   - files: The catalogue files, and their sizes in bytes.
  ///   - taken: Names of other Swift files in the module.
  static func names(for files: [(path: String, size: Int)], avoiding taken: [String]) -> [[String]] {
    // A file's first name does not depend on the size of other files.
    let names = names(for: files.map(\.path), avoiding: taken)
    var used = Set((taken + names).map { $0.lowercased() })
    return zip(files, names).map { file, name in
      let parts = max(1, (file.size + partSize / 2) / partSize)
      let stem = String(name.dropLast(suffix.count))
      return [name] + (1..<parts).map { _ in unusedName(stem, &used) }
    }
  }

  /// The size in bytes of catalogue text per Swift file. For large APIs, that is about 600 lines of Swift.
  ///
  /// The compiler driver distributes files among the processors by number, in order and at most 25 at a time. Many files of similar
  /// size keep two processors busy to the end.
  private static let partSize = 4_000

  /// A name for each path, in order: `lists.yaml` becomes `lists.generated.swift`.
  ///
  /// Two files of a module cannot have the same name. Equal names are distinguished by their folders and, if that is not enough, by
  /// a number. Names that differ only in case count as equal, because some disks ignore case.
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

  /// The stem or, if that is taken, the stem with the lowest free number from 2.
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
