import CallsignCommandLine
import CallsignOpenAPI
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
      let file = try RemoteFile.read(text)
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
