import CallsignTesting
import CallsignX
import Testing
import XSandbox

@Suite("Rules of the filtered stream, on the sandbox") struct SandboxStreamRulesTests {
  @Test("Rules are added, replaced and deleted") func addReplaceDelete() async throws {
    try await withSession { (session) async throws in
      let rules = session.api(.bearer(session.sandbox.app.bearerToken)).streamRules
      #expect(try await rules.all().isEmpty)
      let planned = try await rules.add(["swift"], dryRun: true)
      #expect(planned.added.map(\.value) == ["swift"])
      #expect(try await rules.all().isEmpty)

      let added = try await rules.add(["swift", StreamRule("linux", tag: "os")])
      #expect(added.added.count == 2 && added.problems.isEmpty)
      let again = try await rules.add(["swift", "kotlin"])
      #expect(again.added.map(\.value) == ["kotlin"] && again.problems.map(\.title) == ["DuplicateRule"])

      let change = try await rules.replaceAll(with: ["swift", StreamRule("linux", tag: "kernel"), "rust"])
      #expect(change.unchanged.map(\.value) == ["swift"] && change.deletedCount == 2 && change.problems.isEmpty)
      let left = try await rules.all().map { "\($0.value ?? "")#\($0.tag ?? "")" }
      #expect(Set(left) == ["swift#", "linux#kernel", "rust#"])

      #expect(try await rules.delete(values: ["rust"]).deletedCount == 1)
      #expect(try await rules.replaceAll(with: []).deletedCount == 2)
      #expect(try await rules.all().isEmpty)
    }
  }
}
