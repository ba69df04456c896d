import CallsignCommandLine
import CallsignOpenAPI
import CallsignSupport
import Foundation

/// A document given on a command line: a file, an `https` URL, or `-` for standard input.
struct DocumentSource: Sendable {
  private let text: String
  /// The final URL that it was read from.
  private var url: String

  init(_ text: String) {
    self.text = text
    url = text
  }

  private var isURL: Bool { text.contains("://") }
  private var isStandardInput: Bool { text == "-" }
  /// Whether it is in the file system, where an overlay may be next to it.
  var isFile: Bool { !isURL && !isStandardInput }

  /// - Throws: The exit status if the document cannot be read, after a message on standard error.
  mutating func bytes() throws -> [UInt8] {
    if isStandardInput { return try [UInt8](FileHandle.standardInput.readToEnd() ?? Data()) }
    guard isURL else { return try InputFile.bytes(text) }
    do throws(ImportError) {
      let file = try RemoteFile.read(text, allowsLoopback: RemoteFile.isLoopback(text))
      url = file.url
      return file.bytes
    } catch {
      StandardError.write("\(text.shownPath): error: \(error.reason)")
      throw InputFile.noInput
    }
  }

  /// Lets an import read what the document refers to: files next to it; files on its own server, if it came from one; and `https`
  /// URLs, if the user allows it.
  func allowReferences(in options: inout ImportOptions, alsoIn folders: [String], fetches: Bool) {
    // A document from another machine must not lead to services of this one.
    let fetcher = ReferenceFetcher(allowsLoopback: !isURL || RemoteFile.isLoopback(text))
    if isURL {
      let document = url
      options.fileName = document.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init)
      options.readFile = { (path) throws(ImportError) in
        guard let url = URL(string: path, relativeTo: URL(string: document))?.absoluteString else { return nil }
        return try fetcher.bytes(url)
      }
    } else if isStandardInput {
      options.readFile = { (path) throws(ImportError) in
        throw .reference(
          "`\(path)` is next to the document, which came from standard input; name its file or URL instead", at: path)
      }
    } else {
      let files = ReferencedFiles(beside: text, alsoIn: folders)
      options.fileName = files.fileName
      options.readFile = files.bytes
    }
    if fetches { options.readURL = { (url) throws(ImportError) in try fetcher.bytes(url) } }
  }
}

/// Fetches the files that a document refers to, up to a sum of their sizes.
final class ReferenceFetcher: Sendable {
  private let allowsLoopback: Bool
  private let limit: Int
  private let sum = Locked(0)

  /// - Parameters:
  ///   - allowsLoopback: Whether the files may be on this machine and use `http`.
  ///   - limit: The maximum number of bytes of all files together.
  init(allowsLoopback: Bool, limit: Int = 256 << 20) {
    self.allowsLoopback = allowsLoopback
    self.limit = limit
  }

  /// - Throws: ``ImportError`` for a URL that may not be read or cannot be, and for a file that exceeds the limit.
  func bytes(_ url: String) throws(ImportError) -> [UInt8] {
    try check(url)
    let bytes = try RemoteFile.read(url, allowsLoopback: allowsLoopback).bytes
    sum.withLock { $0 += bytes.count }
    try check(url)
    return bytes
  }

  private func check(_ url: String) throws(ImportError) {
    guard sum.withLock({ $0 }) <= limit else {
      throw .reference(
        "`\(url.shownPath)` is not read: the files that the document refers to have more than \(limit) bytes in all",
        at: url.shownPath)
    }
  }
}
