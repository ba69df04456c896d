import CallsignTesting
import CallsignX
import Testing

@Suite("Rules of the filtered stream") struct StreamRulesTests {
  @Test("The rules of all pages are returned") func allOfAllPages() async throws {
    let book = RuleBook(["a", "b", "c", "d", StreamRule("e", tag: "t")])
    let rules = try await book.x.streamRules.all()
    #expect(rules.map(\.value) == ["a", "b", "c", "d", "e"])
    #expect(rules.last?.tag == "t")
    #expect(try await RuleBook().x.streamRules.all().isEmpty)
  }

  @Test("Rules are added") func adding() async throws {
    let book = RuleBook(["a"])
    let change = try await book.x.streamRules.add(["b", StreamRule("#c d", tag: "t"), "a", "("])
    #expect(change.added.map(\.value) == ["b", "#c d"])
    #expect(change.added.allSatisfy { $0.id != nil })
    #expect(change.problems.map(\.title) == ["DuplicateRule", "UnprocessableEntity"])
    #expect(book.contents == ["a#", "b#", "#c d#t"])
    // All refused: X still says what is wrong.
    let refused = try await book.x.streamRules.add(["a"])
    #expect(refused.added.isEmpty && refused.problems.count == 1)
  }

  @Test("Rules are deleted") func deleting() async throws {
    let book = RuleBook(["a", "b", "c"])
    #expect(try await book.x.streamRules.delete(ids: [book.ids[0]]).deletedCount == 1)
    #expect(try await book.x.streamRules.delete(values: ["b"]).deletedCount == 1)
    #expect(book.contents == ["c#"])
    let missed = try await book.x.streamRules.delete(values: ["b"])
    #expect(missed.deletedCount == 0 && missed.problems.count == 1)
  }

  @Test("Nothing is sent for nothing") func nothing() async throws {
    let book = RuleBook(["a"])
    try await book.x.streamRules.add([])
    try await book.x.streamRules.delete(ids: [])
    try await book.x.streamRules.delete(values: [])
    #expect(try await book.x.streamRules.replaceAll(with: ["a"]).unchanged.count == 1)
    #expect(book.log.isEmpty)
  }

  @Test("A dry run changes nothing") func dryRun() async throws {
    let book = RuleBook(["a", "b"])
    let change = try await book.x.streamRules.add(["c", "("], dryRun: true)
    #expect(change.added.map(\.value) == ["c"] && change.problems.count == 1)
    #expect(try await book.x.streamRules.delete(values: ["a"], dryRun: true).deletedCount == 1)
    let plan = try await book.x.streamRules.replaceAll(with: ["b", "d"], dryRun: true)
    #expect(plan.added.map(\.value) == ["d"] && plan.deletedCount == 1 && plan.unchanged.map(\.value) == ["b"])
    #expect(book.contents == ["a#", "b#"])
    #expect(book.log.count == 3 && book.log.allSatisfy { $0.hasPrefix("dry ") })
  }

  @Test("A dry run reports a rule that would get another tag as deleted and added") func retagging() async throws {
    let book = RuleBook([StreamRule("a", tag: "old"), "b"])
    let wanted: [StreamRule] = [StreamRule("a", tag: "new"), "b", "c"]
    let plan = try await book.x.streamRules.replaceAll(with: wanted, dryRun: true)
    #expect(Set(plan.added.map { "\($0.value ?? "")#\($0.tag ?? "")" }) == ["a#new", "c#"])
    #expect(plan.deletedCount == 1 && plan.unchanged.map(\.value) == ["b"] && plan.problems.isEmpty)
    #expect(plan.added.first(where: { $0.value == "a" })?.id == nil)
    #expect(book.contents == ["a#old", "b#"])
    #expect(book.log.count == 1 && book.log.allSatisfy { $0.hasPrefix("dry ") })
    // The real run then does what the dry run reported.
    let change = try await book.x.streamRules.replaceAll(with: wanted)
    #expect(Set(change.added.map(\.value)) == Set(plan.added.map(\.value)))
    #expect(change.deletedCount == plan.deletedCount && change.unchanged == plan.unchanged)
  }

  @Test("Replacing keeps unchanged rules, and adds before it deletes") func replacing() async throws {
    let book = RuleBook(["a", "b", StreamRule("c", tag: "old"), "d"])
    let kept = book.ids[1]
    let change = try await book.x.streamRules.replaceAll(with: ["b", StreamRule("c", tag: "new"), "e", "e"])
    #expect(Set(book.contents) == ["b#", "c#new", "e#"])
    #expect(book.ids.contains(kept))
    #expect(Set(change.added.map(\.value)) == ["c", "e"])
    #expect(change.deletedCount == 3 && change.unchanged.map(\.id) == [kept] && change.problems.isEmpty)
    #expect(book.log.first?.contains(#""add":[{"value":"e"}]"#) == true)
    #expect(book.log.count == 3)

    // The same request again finds nothing to do.
    #expect(try await book.x.streamRules.replaceAll(with: ["b", StreamRule("c", tag: "new"), "e"]).added.isEmpty)
    #expect(book.log.count == 3)
    #expect(try await book.x.streamRules.replaceAll(with: []).deletedCount == 3)
    #expect(book.contents.isEmpty)
  }

  @Test("A refused rule keeps the others from being deleted") func refusal() async throws {
    let book = RuleBook(["a", "b"])
    let change = try await book.x.streamRules.replaceAll(with: ["("])
    #expect(change.problems.count == 1 && change.deletedCount == 0)
    #expect(book.contents == ["a#", "b#"])
  }
}
