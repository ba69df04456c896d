import CallsignJSON
import Foundation
import Testing

/// Names whose first or last scalar forms one character with the sign next to it in a layout.
@Suite struct OddMemberNameTests {
  /// Names that start with an accent, end with a prefix sign, a joiner or a skin tone, or consist of one such scalar.
  private static let names = [
    "\u{301}b", "d\u{600}", "\u{1F3FD}x", "y\u{200D}", "\u{FE0F}", "🇩🇪", "a", "\u{301}", "z\u{301}\u{1F3FB}",
  ]

  private struct BySpaces: Model, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "\u{301}b:string? d\u{600}:string? \u{1F3FD}x:string? y\u{200D}:string? \u{FE0F}:string? 🇩🇪:string? a:string? \u{301}:string? z\u{301}\u{1F3FB}:string? at:date(\u{301}HH:mm)? e:int? \u{301}g \u{600}f"
      )
    }
  }

  private struct ByLines: Model, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "\n\u{301}b:string?\nd\u{600}:string?\n\u{1F3FD}x:string?\ny\u{200D}:string?\n\u{FE0F}:string?\n🇩🇪:string?\na:string?\n\u{301}:string?\nz\u{301}\u{1F3FB}:string?\nat:date(\u{301}HH:mm)?\ne:int?\n\u{301}g\n\u{600}f\n*:{\u{301}}"
      )
    }
  }

  @Test("Values are read and written under their names") func ownNames() throws {
    func check<M: Model & Hashable>(_: M.Type) throws {
      let members = Self.names.enumerated().map { "\"\($1)\":\"\($0)\"" } + [#""e":7"#]
      let text = "{\(members.joined(separator: ","))}"
      let model = try M(jsonString: text)
      for index in Self.names.indices {
        #expect(model._storage[string: index] == "\(index)", "\(Self.names[index].unicodeScalars)")
      }
      #expect(model._storage[int: 10] == 7)
      #expect(Array(try model.jsonString().utf8) == Array(text.utf8))
      #expect(try M(jsonString: model.jsonString()) == model)
    }
    try check(BySpaces.self)
    try check(ByLines.self)
  }

  @Test("Further names are the member's before them", arguments: ["e", "\u{301}g", "\u{600}f"])
  func furtherNames(name: String) throws {
    #expect(try BySpaces(jsonString: "{\"\(name)\":7}")._storage[int: 10] == 7)
    #expect(try ByLines(jsonString: "{\"\(name)\":7}")._storage[int: 10] == 7)
  }
}
