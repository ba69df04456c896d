import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import Testing
import XCore

@Suite struct ModelConcurrencyTests {
  @Test("Tasks that change copies do not see each other") func tasksThatChangeCopiesDoNotSeeEachOther() async throws {
    let original = try API.Post(jsonString: ModelTests.full)
    let text = try original.jsonString()
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          var good = true
          for round in 0..<200 {
            var copy = original
            copy.likes = task * 1000 + round
            copy.text = "task \(task)"
            copy.replies[0].text = "reply \(task)"
            copy.quoted?.quoted?.id = "\(round)"
            copy.tags.append("\(task)")
            good =
              good && copy.likes == task * 1000 + round && copy.text == "task \(task)"
              && copy.replies[0].text == "reply \(task)" && copy.quoted?.quoted?.id == "\(round)"
              && copy.tags == ["a", "b", "\(task)"] && copy.replies[1].likes == 1
          }
          return good
        }
      }
      for await good in group { #expect(good) }
    }
    #expect(try original.jsonString() == text)
  }

  @Test("Tables are compiled once, however many tasks ask first") func tablesAreCompiledOnceHoweverManyTasksAskFirst()
    async throws
  {
    struct Fresh: Model, Hashable {
      var _storage: ModelStorage
      static var _layout: ModelLayout { ModelLayout("id:string next:#0? all:[#0]?", Fresh.self) }
    }
    let text = #"{"id":"1","next":{"id":"2"},"all":[{"all":[],"id":"3"},{"all":[],"id":"4"}]}"#
    let read = try await withThrowingTaskGroup(of: Fresh.self) { group in
      for _ in 0..<16 { group.addTask { try Fresh(jsonString: text) } }
      return try await group.reduce(into: Set<Fresh>()) { $0.insert($1) }
    }
    #expect(read.count == 1)
  }
}
