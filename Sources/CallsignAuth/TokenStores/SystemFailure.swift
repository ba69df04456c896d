import Foundation

extension TokenStoreError {
  /// What the system refused, by `errno`.
  ///
  /// - Parameters:
  ///   - what: What was tried, such as `write` with the path.
  ///   - code: The value of `errno` right after it failed.
  static func system(_ what: String, _ code: Int32) -> TokenStoreError {
    let advice =
      switch code {
      case EACCES, EPERM, EROFS: "give this program permission, or choose another folder"
      case ENOSPC, EDQUOT: "free some space on the disk"
      case EMFILE, ENFILE: "close files, or raise the limit of open files"
      case ENOTDIR: "a part of the path is a file; choose another folder"
      case ENAMETOOLONG: "choose a folder with a shorter path"
      default: "check the folder and its disk"
      }
    let words = String(cString: strerror(code))
    return TokenStoreError(.system, advice: "cannot \(what): \(words); \(advice)".printable)
  }

  /// Somebody else could read what is to be kept secret.
  static func readableByOthers(_ path: String, mode: String) -> TokenStoreError {
    TokenStoreError(
      .readableByOthers,
      advice: """
        others can read or write \(path); run `chmod \(mode) \(path.shellQuoted)`, and if others use this machine, \
        log in again, since they may have read the tokens
        """.printable)
  }

  static func unsafePlace(_ path: String, _ problem: String) -> TokenStoreError {
    TokenStoreError(
      .unsafePlace,
      advice: "\(path) \(problem); remove it, or choose another folder for the tokens".printable)
  }
}

extension String {
  /// As one word for a shell.
  fileprivate var shellQuoted: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isPlain ? self : "'\(replacingOccurrences(of: "'", with: #"'\''"#))'"
  }
}
