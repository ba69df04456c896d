import Foundation
import TestSupport
import Testing

@testable import CallsignGenerator

/// A catalogue file that becomes several Swift files.
@Suite struct PartitionTests {
  @Test("Every declaration is in one part, in the order of the undivided file", arguments: 1...6)
  func everyDeclarationOnce(parts: Int) throws {
    let catalogue = try Sample.catalogue()
    let generator = Generator(options: GenerationOptions(protocolName: "SampleProtocol"))
    let counts = Dictionary(uniqueKeysWithValues: catalogue.groups.map { ($0.file, parts) })
    let divided = Dictionary(grouping: generator.generate(catalogue, parts: counts), by: \.source)
    for whole in generator.generate(catalogue) {
      let texts = try #require(divided[whole.source]).map(\.text)
      #expect(texts.count == parts)
      #expect(texts.flatMap(declarations) == declarations(whole.text))
      let header = whole.text.prefix { $0 != "\n" }
      for text in texts {
        #expect(text.hasPrefix("\(header)\n// swift-format-ignore-file\n"))
        #expect(declarations(text).isEmpty || text.contains("\nimport Callsign\n"))
      }
      if parts == 1 { #expect(texts == [whole.text]) }
    }
  }

  @Test("Parts are of nearly equal size")
  func balance() throws {
    for parts in 2...8 {
      let sizes = try divided(Self.shop(), into: parts).map(\.utf8.count)
      let even = sizes.reduce(0, +) / parts
      #expect(sizes.allSatisfy { $0 > even / 2 && $0 < even * 3 / 2 }, "\(sizes)")
    }
  }

  @Test("An edit of one endpoint rarely changes other parts")
  func stability() throws {
    let before = try divided(Self.shop(), into: 8)
    let edits = stride(from: 0, to: Self.endpoints, by: 4)
    var changed = 0
    for index in edits {
      let after = try divided(Self.shop(edited: index), into: 8)
      changed += zip(before, after).count { $0 != $1 }
    }
    let count = Array(edits).count
    #expect(changed >= count)
    #expect(changed <= count * 2, "\(changed) parts changed with \(count) edits")
  }

  @Test("A part without declarations is still a file")
  func emptyParts() throws {
    let texts = try divided(Self.api + "endpoints: {getOne: {call: GET /one}}\n", into: 4)
    #expect(texts.count == 4)
    #expect(texts[0].contains("public struct Shop: ") && !texts[0].contains("func getOne("))
    #expect(texts[1].contains("func getOne("))
    for text in texts[2...] {
      #expect(text.hasPrefix(FileEmitter.marker))
      #expect(text.hasSuffix("// swift-format-ignore-file\n"))
    }
  }

  @Test("Ranges cover all declarations, whatever their sizes are")
  func ranges() {
    for sizes in [[], [1], [0, 0, 0], [1, 1, 1_000_000, 1, 1], [1_000_000, 1, 1], [1, 1, 1_000_000]] {
      for parts in 0...7 {
        let ranges = Partition.ranges(of: sizes, parts: parts)
        #expect(ranges.count == max(parts, 1))
        #expect(ranges.flatMap { $0 } == Array(sizes.indices))
      }
    }
    #expect(Partition.ranges(of: [10, 10, 10, 10], parts: 2) == [0..<2, 2..<4])
    // The longest one near the middle starts the second part, even if others change.
    for sizes in [[60, 10, 12, 10, 10, 10, 60], [70, 10, 12, 10, 10, 10, 60], [60, 10, 12, 10, 10, 10, 66]] {
      #expect(Partition.ranges(of: sizes, parts: 2) == [0..<2, 2..<7])
    }
  }

  @Test("A run writes the requested parts, and the next one only those that an edit changes")
  func job() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    let state = try TemporaryFolder()
    let names = ["shop.generated.swift", "shop_2.generated.swift", "shop_3.generated.swift"]
    try input.write(Self.shop(), to: "shop.yaml")
    try input.write("models: {Customer: {name: string}}\n", to: "customers.yaml")
    let customers = "customers.generated.swift"
    func job(_ names: [String]) -> GenerationJob {
      let files = [("\(input.path)/shop.yaml", names), ("\(input.path)/customers.yaml", [customers])]
      return GenerationJob(
        input: .files(files), outputFolder: output.path, removesStale: false, stateFile: "\(state.path)/state")
    }
    #expect(try job(names).run().written == names + [customers])
    #expect(try job(names).run().unchanged == names + [customers])
    try input.write(Self.shop(edited: Self.endpoints - 1), to: "shop.yaml")
    #expect(try job(names).run().written == ["shop_3.generated.swift"])
    // The file grew or shrank, and the build plans another number of parts.
    #expect(try Set(job(names + ["shop_4.generated.swift"]).run().written).contains("shop_4.generated.swift"))
    #expect(try job([names[0]]).run().written == [names[0]])
    let whole = try output.read(names[0])
    for index in 0..<Self.endpoints { #expect(whole.contains("func get\(index)(")) }
  }

  @Test("A large file has several names, and none of them is another file's")
  func names() {
    func names(_ files: [(path: String, size: Int)], avoiding taken: [String] = []) -> [[String]] {
      OutputNames.names(for: files, avoiding: taken).map { $0.map { String($0.dropLast(OutputNames.suffix.count)) } }
    }
    #expect(names([("/c/one.yaml", 0), ("/c/two.yaml", 5_000)]) == [["one"], ["two"]])
    #expect(names([("/c/one.yaml", 12_000)]) == [["one", "one_2", "one_3"]])
    let numbered = names([("/c/one.yaml", 12_000), ("/c/one_2.yaml", 8_000)])
    #expect(numbered == [["one", "one_3", "one_4"], ["one_2", "one_2_2"]])
    #expect(names([("/c/one.yaml", 8_000)], avoiding: ["One_2.generated.swift"]) == [["one", "one_3"]])
    // Every file name includes the folders that distinguish equal names.
    #expect(names([("/a/one.yaml", 8_000), ("/b/one.yaml", 8_000)]) == [["a_one", "a_one_2"], ["b_one", "b_one_2"]])
  }

  private static let api = "api: {name: Shop, hosts: {main: https://shop.example}, auth: [none]}\n"
  private static let endpoints = 80

  /// A catalogue of endpoints of different length.
  ///
  /// - Parameter edited: The index of an endpoint with a few more parameters.
  private static func shop(edited: Int? = nil) -> String {
    var text = api + "endpoints:\n"
    for index in 0..<endpoints {
      var parameters = (0..<(index * 7 % 11)).map { "parameter\($0 * index): string?" }
      if index == edited { parameters += (0..<6).map { "added\($0): bool?" } }
      text += "  get\(index): {call: GET /things/\(index), params: {\(parameters.joined(separator: ", "))}}\n"
    }
    return text
  }

  /// The texts of the parts of a catalogue of one file.
  private func divided(_ text: String, into parts: Int) throws -> [String] {
    try Generator().generate(catalogue(text), parts: ["api.yaml": parts]).map(\.text)
  }

  /// The lines of a file, without those that differ in each part.
  private func declarations(_ text: String) -> [Substring] {
    let frame = ["// ", "#", "import ", "public import ", "extension Petstore {", "extension SampleProtocol {", "}"]
    return text.split(separator: "\n").filter { line in !frame.contains { line.hasPrefix($0) } }
  }
}
