import ChildProcesses
import Foundation
import TestSupport
import Testing

/// `xapi decode`, run as a user runs it.
@Suite("xapi decode")
struct DecodeCommandTests {
  private struct Outcome {
    var status: Int32
    var output: String
    var error: String
  }

  private static func decode(_ arguments: String..., body: String) throws -> Outcome {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("xapi-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(body.utf8).write(to: file)
    let process = Process()
    process.executableURL = Program.products.appendingPathComponent("xapi")
    process.arguments = ["decode"] + arguments
    let (output, error) = (Pipe.forChildProcess(), Pipe.forChildProcess())
    process.standardOutput = output
    process.standardError = error
    process.standardInput = try FileHandle(forReadingFrom: file)
    try process.start()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let complained = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
      error: String(decoding: complained, as: UTF8.self))
  }

  @Test("a body of either version is printed as its model's JSON")
  func model() throws {
    let user = try Self.decode("getUsersShow", "--compact", body: #"{"new":1,"id_str":"12","id":12,"name":null}"#)
    #expect(user.output == #"{"id":12,"id_str":"12"}"# + "\n")
    #expect(user.status == 0)
    let post = try Self.decode("getPostsById", body: #"{"data":{"id":"20","text":"just setting up"}}"#)
    #expect(post.output == "{\n  \"data\": {\n    \"id\": \"20\",\n    \"text\": \"just setting up\"\n  }\n}\n")
    let record = try Self.decode("postStatusesFilter", "--compact", body: #"{"limit":{"track":3}}"#)
    #expect(record.output == #"{"limit":{"track":3}}"# + "\n")
    let timeline = try Self.decode("getStatusesHomeTimeline", "--compact", body: "[\(Sample.tweet)]")
    #expect(try Facts.text(Data(timeline.output.utf8)) == Facts.text(Data("[\(Sample.tweet)]".utf8)))
  }

  @Test("parts that the method skips are named; with --strict they are errors")
  func oddParts() throws {
    let body = #"[{"id":1,"id_str":"1"},{"id":"x","id_str":"2"}]"#
    let run = try Self.decode("getUsersLookup", "--compact", body: body)
    #expect(run.status == 0)
    #expect(run.output == #"[{"id":1,"id_str":"1"}]"# + "\n")
    #expect(run.error.hasPrefix("warning: [1].id:") && run.error.contains("(byte 29); [1] is left out"))
    let strict = try Self.decode("getUsersLookup", "--strict", body: body)
    #expect(strict.status == 65)
    #expect(strict.output == "")
    #expect(strict.error.hasPrefix("error: [1].id:") && strict.error.hasSuffix("(byte 29)\n"))
  }

  @Test(
    "a body that the method would not accept gets path and offset, and status 65",
    arguments: [
      ("getStatusesShow", #"{"id_str":"20"}"#, "id: required, but missing", "(byte 0)"),
      ("getUsersShow", #"{"id":20,"#, "the JSON document:", "(byte 9)"),
      ("getPostsById", #"{"data":[]}"#, "data: expected an object, found an array", "(byte 8)"),
      ("getUsersShow", "", "the JSON document: the text ends too early", "(byte 0)"),
    ])
  func wrongBody(operation: String, body: String, problem: String, place: String) throws {
    let run = try Self.decode(operation, body: body)
    #expect(run.status == 65)
    #expect(run.output == "")
    #expect(run.error.hasPrefix("error: \(problem)"), "\(run.error)")
    #expect(run.error.hasSuffix("\(place)\n"), "\(run.error)")
  }

  @Test("a name that is in neither version or in both is reported as such, with status 64")
  func names() throws {
    let unknown = try Self.decode("getstatusesshow", body: "{}")
    #expect(unknown.status == 64)
    #expect(unknown.error.contains("Did you mean getStatusesShow?"))
    let ambiguous = try Self.decode("getListsMembers", body: "{}")
    #expect(ambiguous.status == 64)
    #expect(ambiguous.error.contains("XAPI.getListsMembers or XAPIv1.getListsMembers"))
    let old = try Self.decode("XAPIv1.getListsMembers", "--compact", body: #"{"users":[{"id":1,"id_str":"1"}]}"#)
    #expect(old.output == #"{"users":[{"id":1,"id_str":"1"}]}"# + "\n")
    let new = try Self.decode("XAPI.getListsMembers", "--compact", body: #"{"data":[]}"#)
    #expect(new.output == #"{"data":[]}"# + "\n")
  }

  @Test("an operation whose response has no JSON decodes nothing, and says so")
  func none() throws {
    let run = try Self.decode("deleteDirectMessagesEventsDestroy", body: "")
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(run.error.contains("no JSON"))
  }
}
