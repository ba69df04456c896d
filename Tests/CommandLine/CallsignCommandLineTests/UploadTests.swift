import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("xapi upload") struct UploadTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func xapi(_ sandbox: Sandbox, _ arguments: [String]) async throws -> Run {
    try await Run("xapi", arguments + ["--base-url", sandbox.url.absoluteString], environment: environment(sandbox))
  }

  private func environment(_ sandbox: Sandbox) -> [String: String] {
    ["HOME": home.path, "X_OAUTH2_ACCESS_TOKEN": sandbox.users.alice.oauth2AccessToken]
  }

  /// A file that begins as a picture.
  private func picture(_ count: Int = 100_000) throws -> String {
    let data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(count: count - 8)
    let file = home.url.appendingPathComponent("cat.png")
    try data.write(to: file)
    return file.path
  }

  private func chunks(_ sandbox: Sandbox) async -> Int {
    await sandbox.requests().filter { $0.path.hasSuffix("/append") && $0.status < 300 }.count
  }

  @Test("A file is uploaded with its text; a pipe gets only the response, and no bar")
  func upload() async throws {
    try await withSandbox { sandbox in
      let run = try await xapi(
        sandbox, ["upload", try picture(), "--alt", "A cat", "--chunk-size", "30000", "--filter", "id", "--raw"])
      #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
      let id = run.output.trimmingCharacters(in: .newlines)
      #expect(id.allSatisfy(\.isNumber) && !id.isEmpty)
      #expect(await chunks(sandbox) == 4)
      let post = try await xapi(sandbox, ["createPosts", "--text", "look", "--media.media_ids", id])
      #expect(post.status == 0, "\(post.error)")
      #expect(await sandbox.requests().contains { $0.path == "/2/media/metadata" && $0.bodyText.contains("A cat") })
    }
  }

  @Test("An interrupted upload continues with --resume, and sends what is missing")
  func resume() async throws {
    try await withSandbox { sandbox in
      let file = try picture()
      await sandbox.inject(try Sandbox.FaultSpecification("POST /2/media/upload/{id}/append=400 x8 after=6"))
      let stopped = try await xapi(sandbox, ["upload", file, "--chunk-size", "10000"])
      #expect(
        stopped.status == 1 && stopped.error.contains("continue with the same command and --resume"), "\(stopped.error)"
      )
      let before = await chunks(sandbox)
      #expect((1..<10).contains(before))
      await sandbox.removeFaults()
      let state = home.path + "/.local/state/callsign/uploads"
      let point = try #require(try FileManager.default.contentsOfDirectory(atPath: state).first)
      #expect(try permissions(state + "/" + point) == 0o600)
      await sandbox.forgetRequests()
      let done = try await xapi(sandbox, ["upload", file, "--chunk-size", "10000", "--resume"])
      #expect(done.status == 0, "\(done.error)")
      // Some may have arrived whose responses did not; none is sent that was known to have.
      #expect((1..<10).contains(await chunks(sandbox)))
      #expect(try FileManager.default.contentsOfDirectory(atPath: state).isEmpty)
      #expect(!(await sandbox.requests().contains { $0.path == "/2/media/upload/initialize" }))
      let again = try await xapi(sandbox, ["upload", file, "--resume"])
      #expect(again.status == 0 && again.error.contains("no upload of this file has stopped"), "\(again.error)")
    }
  }

  @Test("A file that has changed is uploaded from the beginning, with a note")
  func changed() async throws {
    try await withSandbox { sandbox in
      let file = try picture()
      await sandbox.inject(try Sandbox.FaultSpecification("POST /2/media/upload/{id}/append=400 x8 after=6"))
      #expect(try await xapi(sandbox, ["upload", file, "--chunk-size", "10000"]).status == 1)
      await sandbox.removeFaults()
      _ = try picture(50_000)
      let done = try await xapi(sandbox, ["upload", file, "--chunk-size", "10000", "--resume"])
      #expect(done.status == 0 && done.error.contains("the file has changed since"), "\(done.error)")
    }
  }

  @Test("If the text is refused, the file stays uploaded: the ID is reported, and --resume adds the rest")
  func belongings() async throws {
    try await withSandbox { sandbox in
      let file = try picture()
      await sandbox.inject(try Sandbox.FaultSpecification("POST /2/media/metadata=400"))
      let stopped = try await xapi(sandbox, ["upload", file, "--alt", "A cat"])
      let id = try #require(
        await sandbox.requests().first { $0.path.hasSuffix("/finalize") }?.path.split(separator: "/").dropLast().last)
      #expect(stopped.status == 1, "\(stopped.error)")
      #expect(stopped.error.contains("with the id \(id)") && stopped.error.contains("--resume"), "\(stopped.error)")
      await sandbox.forgetRequests()
      let done = try await xapi(sandbox, ["upload", file, "--alt", "A cat", "--resume", "--filter", "id", "--raw"])
      #expect(done.status == 0 && done.output == id + "\n", "\(done.error)")
      #expect(await sandbox.requests().filter { $0.method == "POST" }.map(\.path) == ["/2/media/metadata"])
    }
  }

  @Test("An upload that X has forgotten is not resumed for ever")
  func forgotten() async throws {
    try await withSandbox { sandbox in
      let file = try picture()
      await sandbox.inject(try Sandbox.FaultSpecification("POST /2/media/upload/{id}/append=404 x99 after=6"))
      #expect(try await xapi(sandbox, ["upload", file, "--chunk-size", "10000"]).status != 0)
      let second = try await xapi(sandbox, ["upload", file, "--resume"])
      #expect(second.status != 0 && !second.error.contains("continue it with --resume"), "\(second.error)")
      await sandbox.removeFaults()
      await sandbox.forgetRequests()
      let third = try await xapi(sandbox, ["upload", file, "--resume"])
      #expect(third.status == 0, "\(third.error)")
      #expect(await sandbox.requests().contains { $0.path == "/2/media/upload/initialize" })
    }
  }

  @Test("A file that cannot be uploaded is detected before anything is sent")
  func refusals() async throws {
    try await withSandbox { sandbox in
      #expect(try await xapi(sandbox, ["upload", home.path + "/none.png"]).status == 66)
      try home.write("no picture", to: "text.xyz")
      let text = try await xapi(sandbox, ["upload", home.path + "/text.xyz"])
      #expect(text.status == 65, "\(text.error)")
      let filter = try await xapi(sandbox, ["upload", try picture(), "--filter", "a["])
      #expect(filter.status == 64 && filter.error.contains("at character"), "\(filter.status) \(filter.error)")
      #expect(await sandbox.requests().isEmpty)
    }
  }

  /// Runs a program on a terminal, and prints what the terminal showed.
  private static let terminal = #"""
    import os, pty, sys
    shown = b""
    def read(descriptor):
        global shown
        data = os.read(descriptor, 4096)
        shown += data
        return data
    status = pty.spawn(sys.argv[1:], read, lambda descriptor: b"")
    print("status", os.waitstatus_to_exitcode(status))
    """#

  @Test("On a terminal, a bar shows the progress", .needs(.python)) func bar() async throws {
    try await withSandbox { sandbox in
      let program = [
        "/usr/bin/env", "X_OAUTH2_ACCESS_TOKEN=" + sandbox.users.alice.oauth2AccessToken, "HOME=" + home.path,
        "TERM=xterm",
        Program.products.appendingPathComponent("xapi").path, "upload", try picture(), "--base-url",
        sandbox.url.absoluteString,
      ]
      let shown = try await onThread {
        String(decoding: try Python.run(Self.terminal, arguments: program), as: UTF8.self)
      }
      #expect(shown.contains("█") && shown.contains("%") && shown.contains("100.0 kB"), "\(shown)")
      #expect(shown.contains("status 0"), "\(shown)")
    }
  }
}
