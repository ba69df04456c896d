/// A declaration of a generated file, written down.
struct Declaration {
  /// The beginning of the extension that it is in; `nil` at the top level.
  let container: String?
  /// Lines at their depth.
  let text: String

  /// - Parameter write: Writes it, without regard to the extension.
  init(in container: String? = nil, _ write: (inout SourceWriter) -> Void) {
    // As long as most are; an empty line before it is for the file to write.
    var writer = SourceWriter(capacity: 1 << 12, indentation: container == nil ? "" : SourceWriter.indentation)
    write(&writer)
    self.container = container
    text = writer.text
  }
}
