import CallsignCommandLine
import CallsignOpenAPI
import Foundation

/// A document as a command line names it: a file, an `https` URL, or `-` for standard input.
struct DocumentSource: Sendable {
  private let text: String
  /// The URL that it was read from in the end.
  private var url: String

  init(_ text: String) {
    self.text = text
    url = text
  }

  private var isURL: Bool { text.contains("://") }
  private var isStandardInput: Bool { text == "-" }
  /// Whether it has a place in the file system, where an overlay may lie beside it.
  var isFile: Bool { !isURL && !isStandardInput }

  /// - Throws: The exit status for a document that cannot be read, which is told on standard error.
  mutating func bytes() throws -> [UInt8] {
    if isStandardInput { return try [UInt8](FileHandle.standardInput.readToEnd() ?? Data()) }
    guard isURL else { return try InputFile.bytes(text) }
    do throws(ImportError) {
      let file = try RemoteFile.read(text)
      url = file.url
      return file.bytes
    } catch {
      StandardError.write("\(text.shownPath): error: \(error.reason)")
      throw InputFile.noInput
    }
  }

  /// Lets an import read what the document refers to: files beside it, those of its own server if it came from one, and
  /// `https` URLs if the user allows it.
  func allowReferences(in options: inout ImportOptions, alsoIn folders: [String], fetches: Bool) {
    if isURL {
      let document = url
      options.fileName = document.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init)
      options.readFile = { (path) throws(ImportError) in
        guard let url = URL(string: path, relativeTo: URL(string: document))?.absoluteString else { return nil }
        return try RemoteFile.read(url).bytes
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
    if fetches { options.readURL = { (url) throws(ImportError) in try RemoteFile.read(url).bytes } }
  }
}
