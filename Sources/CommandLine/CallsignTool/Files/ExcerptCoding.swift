// Sound: the bytes of a number are copied before its variable ends.

import CallsignCatalogue

extension CatalogueExcerpts {
  /// The excerpts as bytes: a sequence of texts, each preceded by its length.
  package var encoded: [UInt8] {
    var writer = TextsWriter()
    for text in [api, templates, commonModels] { writer.add(text) }
    writer.add(groups.count)
    for group in groups { for text in [group.name, group.text] { writer.add(text) } }
    writer.add(operations.count)
    for operation in operations {
      for text in [
        operation.name, operation.group, operation.method, operation.path, operation.summary, operation.models,
        operation.followers, operation.text,
      ] { writer.add(text) }
    }
    writer.add(models.count)
    for model in models { for text in [model.name, model.models, model.text] { writer.add(text) } }
    return writer.bytes
  }

  /// Decodes what ``encoded`` wrote; `nil` for anything else.
  package init?(encoded bytes: ArraySlice<UInt8>) {
    var reader = TextsReader(bytes)
    do throws(TextsReader.Damaged) {
      self.init(api: try reader.text(), templates: try reader.text(), commonModels: try reader.text())
      for _ in 0..<(try reader.count()) { groups.append(Group(try reader.text(), try reader.text())) }
      for _ in 0..<(try reader.count()) {
        operations.append(
          Operation(
            try reader.text(), try reader.text(), try reader.text(), try reader.text(), try reader.text(),
            try reader.text(), try reader.text(), try reader.text()))
      }
      for _ in 0..<(try reader.count()) {
        models.append(Model(try reader.text(), try reader.text(), try reader.text()))
      }
    } catch {
      return nil
    }
    guard reader.isAtEnd else { return nil }
  }
}

private struct TextsWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ text: String) {
    add(text.utf8.count)
    bytes += text.utf8
  }

  mutating func add(_ number: Int) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { bytes += $0 }
  }
}

private struct TextsReader {
  struct Damaged: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func text() throws(Damaged) -> String {
    let length = try number()
    guard length <= rest.count else { throw Damaged() }
    defer { rest = rest.dropFirst(length) }
    return String(decoding: rest.prefix(length), as: UTF8.self)
  }

  /// Reads the number of entries. Each entry takes at least one byte.
  mutating func count() throws(Damaged) -> Int {
    let count = try number()
    guard count <= rest.count else { throw Damaged() }
    return count
  }

  private mutating func number() throws(Damaged) -> Int {
    guard rest.count >= 4 else { throw Damaged() }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
