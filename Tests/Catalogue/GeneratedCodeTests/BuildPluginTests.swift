import Foundation
import TestSupport
import Testing

/// The files that the build plugin has made for this module.
@Suite struct BuildPluginTests {
  @Test("A debug build compiles a function once, in its own module; a release build where it is called")
  func configurations() throws {
    // `.build/TRIPLE/CONFIGURATION`, and `.build/plugins/outputs/PACKAGE/TARGET/…/PLUGIN`.
    let build = Program.products.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
    let outputs = build.appendingPathComponent("plugins/outputs")
    let files = try #require(FileManager.default.enumerator(at: outputs, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }
      .filter { $0.pathComponents.contains("GeneratedCodeTests") && $0.lastPathComponent == "calls.generated.swift" }
    for file in files {
      let isDebug = file.deletingLastPathComponent().lastPathComponent == "debug"
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.contains("public func ") && text.contains("@_alwaysEmitIntoClient ") == !isDebug)
    }
    #if DEBUG
      #expect(files.contains { $0.deletingLastPathComponent().lastPathComponent == "debug" })
    #endif
  }
}
