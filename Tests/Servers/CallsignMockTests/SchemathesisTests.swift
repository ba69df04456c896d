import CallsignMock
import CallsignMockServer
import CallsignOpenAPI
import Foundation
import TestSupport
import Testing

/// schemathesis makes requests from a document, good and bad ones, and judges the mock's responses by the document. This takes
/// minutes, so only `Scripts/nightly` runs it.
@Suite(
  "schemathesis against mocks", .enabled(if: ProcessInfo.processInfo.environment["CALLSIGN_CLIENTS"] != nil),
  .needs(.python(with: "schemathesis")))
struct SchemathesisTests {
  private static let program = #"""
    import json, os, re, subprocess, sys, tempfile

    document, url = os.path.abspath(sys.argv[1]), sys.argv[2]
    tool = os.path.join(os.path.dirname(sys.executable), "schemathesis")
    options = ["--phases", "coverage,fuzzing", "--max-examples", "5", "--seed", "1", "--generation-deterministic", "--no-color"]
    run = subprocess.run(
        [tool, "run", document, "--url", url, *options, "-H", "Authorization: Bearer x"],
        capture_output=True, text=True, cwd=tempfile.mkdtemp())
    found, operation = {}, ""
    for line in run.stdout.splitlines():
        if heading := re.fullmatch(r"_+ (\S+ \S+) _+", line):
            operation = heading[1]
        elif finding := re.match(r"- (ST\d+) ", line):
            found.setdefault(operation, []).append(finding[1])
    tested = re.search(r"Tested: (\d+)", run.stdout)
    json.dump({"tested": int(tested[1]) if tested else 0, "found": found, "output": run.stdout[-20000:]}, sys.stdout)
    """#

  private struct Findings: Decodable {
    var tested: Int
    /// The codes of the findings, by operation.
    var found: [String: [String]]
    var output: String
  }

  /// Findings that are correct behaviour nevertheless, with the reason.
  private static let accepted = [
    // Undocumented status: the documents do not list 400 and 415, which the mock uses to refuse requests that do not fit.
    "ST103",
    // Undocumented content type: if the document has no type for an error, the mock makes a problem document.
    "ST105",
    // Schema-valid request rejected: a catalogue cannot say that a body with required members may be left out.
    "ST202",
  ]

  /// The same for single operations.
  private static let acceptedOf = [
    // Schema-violating request accepted: an empty list has no part in a multipart body, so the server cannot see it.
    "POST /api/v2/media": ["ST201"]
  ]

  @Test(
    "Every response is as the document has it",
    arguments: [("GitHub/github.openapi.yaml", 7), ("Mastodon/mastodon.openapi.yaml", 12)])
  func documents(path: String, operations: Int) async throws {
    let document = PackageFolder.url("Examples/" + path)
    let imported = try OpenAPIImporter().importDocument([UInt8](try Data(contentsOf: document)))
    let listener = try await MockServer(imported.catalogue).listen()
    let url = listener.url.absoluteString
    let output = try await onThread {
      try Python.run(Self.program, arguments: [document.path, url])
    }
    await listener.stop()
    let findings = try JSONDecoder().decode(Findings.self, from: output)
    #expect(findings.tested == operations, "\(findings.output)")
    for (operation, codes) in findings.found {
      let others = codes.filter { !(Self.accepted + Self.acceptedOf[operation, default: []]).contains($0) }
      #expect(others.isEmpty, "\(operation)\n\(findings.output)")
    }
  }
}
