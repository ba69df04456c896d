import CallsignCatalogue
import CallsignGenerator
import CallsignSupport

/// Writes a catalogue as Swift source: its bytes, split into an excerpt for each operation and model. A program that makes one call
/// then reads only a few lines of YAML. Only this package uses it, through its plugin EmbedCatalogues.
enum ExcerptSource {
  /// Writes a catalogue's Swift source unless the file is already up to date, because a new file would be compiled again.
  ///
  /// - Parameter arguments: The property's name, the Swift file, and the catalogue's files.
  static func write(_ arguments: [String]) throws {
    guard arguments.count > 2 else {
      throw ExcerptError("usage: GenerateAPITool --excerpts NAME SWIFT_FILE CATALOGUE_FILE...")
    }
    let sources = try arguments[2...].map { path in
      CatalogueSource(path: path, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
    let result = CatalogueLoader().load(files: sources)
    guard let catalogue = result.catalogue else {
      throw ExcerptError(result.diagnostics.map { "\($0)" }.joined(separator: "\n"))
    }
    let data = Data(text(try CatalogueExcerpts(catalogue, sources: sources), name: arguments[0]).utf8)
    let output = arguments[1]
    if FileManager.default.contents(atPath: output) != data { try data.write(to: URL(fileURLWithPath: output)) }
  }

  private static func text(_ excerpts: CatalogueExcerpts, name: String) -> String {
    var lines = [
      "import CallsignCatalogue", "", "extension CatalogueExcerpts {", "  static let \(name): CatalogueExcerpts = {",
    ]
    func call(_ start: String, _ labels: [String] = [], _ texts: [String]) -> String {
      let arguments = texts.enumerated().map { ($0 < labels.count ? "\(labels[$0]): " : "") + SwiftLiteral.string($1) }
      return "    \(start)(\(arguments.joined(separator: ", ")))"
    }
    lines.append(
      call(
        "var catalogue = CatalogueExcerpts", ["api", "templates", "commonModels"],
        [excerpts.api, excerpts.templates, excerpts.commonModels]))
    for group in excerpts.groups {
      lines.append(call("catalogue.groups.append(.init", [], [group.name, group.text]) + ")")
    }
    for operation in excerpts.operations {
      let texts = [
        operation.name, operation.group, operation.method, operation.path, operation.summary, operation.models,
        operation.followers, operation.text,
      ]
      lines.append(call("catalogue.operations.append(.init", [], texts) + ")")
    }
    for model in excerpts.models {
      lines.append(call("catalogue.models.append(.init", [], [model.name, model.models, model.text]) + ")")
    }
    return (lines + ["    return catalogue", "  }()", "}", ""]).joined(separator: "\n")
  }
}
