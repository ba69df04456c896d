import Foundation

/// What a person reads about a run, apart from its result.
enum StandardError {
  static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
