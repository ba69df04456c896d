import Callsign
import Foundation

// Reads and writes values under each name of the catalogue, and ends with an error if one is wrong. Foundation's JSON decides
// which name a text has.

/// A member: its name with JSON's escapes, and its property.
struct Member<Value> {
  let name: String
  let property: WritableKeyPath<Value, String?>

  init(_ name: String, _ property: WritableKeyPath<Value, String?>) { (self.name, self.property) = (name, property) }
}

/// The bytes of a name without JSON's escapes.
func bytes(_ name: String) throws -> [UInt8] {
  let list = try JSONSerialization.jsonObject(with: Data("[\"\(name)\"]".utf8)) as? [String]
  return Array((list?.first ?? "").utf8)
}

/// The names and values of a written object.
func written(_ value: some JSONCodable) throws -> [[UInt8]: String] {
  // Foundation drops a byte order mark from a name unless it is escaped.
  let text = try value.jsonString().replacing("\u{FEFF}", with: #"\ufeff"#)
  let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String] ?? [:]
  return Dictionary(uniqueKeysWithValues: object.map { (Array($0.key.utf8), $0.value) })
}

/// The text of an object in which each member has its position as value.
func object(_ members: [(position: Int, name: String)]) -> String {
  "{" + members.map { "\"\($0.name)\":\"\($0.position)\"" }.joined(separator: ",") + "}"
}

/// The faults after reading and writing each member separately and all together.
func problems<Value: JSONCodable & Hashable>(
  _ empty: Value, _ members: [Member<Value>], unknown: [String]
) throws -> [String] {
  var problems: [String] = []
  func expect(_ isRight: Bool, _ text: String) { if !isRight { problems.append(text) } }
  func read(_ text: String, has expected: Set<Int>, _ title: String) throws {
    let value = try Value(jsonString: text)
    for (position, member) in members.enumerated() {
      let isRight = value[keyPath: member.property] == (expected.contains(position) ? "\(position)" : nil)
      expect(isRight, "\(Value.self): \(member.name.prefix(40)) is wrong after reading \(title)")
    }
  }
  var all = empty
  for (position, member) in members.enumerated() {
    let title = "only \(member.name.prefix(40))"
    try read(object([(position, member.name)]), has: [position], title)
    // The name as UTF-8, which still needs the escapes that JSON demands.
    let name = String(decoding: try bytes(member.name), as: UTF8.self)
    let plain = try JSONSerialization.data(withJSONObject: [name: "\(position)"])
    try read(String(decoding: plain, as: UTF8.self), has: [position], title + " as UTF-8")
    var value = empty
    value[keyPath: member.property] = "\(position)"
    expect(try written(value) == [bytes(member.name): "\(position)"], "\(Value.self): \(title) is written wrongly")
    all[keyPath: member.property] = "\(position)"
  }
  let pairs = members.enumerated().map { (position: $0.offset, name: $0.element.name) }
  try read(object(pairs), has: Set(members.indices), "all members")
  try read(object(pairs.reversed()), has: Set(members.indices), "all members backwards")
  try read(object(unknown.map { (0, $0) }), has: [], "names that it does not have")
  let names = try members.enumerated().map { (try bytes($0.element.name), "\($0.offset)") }
  expect(try written(all) == Dictionary(uniqueKeysWithValues: names), "\(Value.self): all members are written wrongly")
  expect(try Value(jsonString: all.jsonString()) == all, "\(Value.self): what is written reads as another value")
  return problems
}

let names: [Member<Odd.Names>] = [
  Member(#"\u0301b"#, \.accent),
  Member(#"\u0301"#, \.accentAlone),
  Member(#"d\u0600"#, \.prefixSign),
  Member(#"\u0600"#, \.prefixSignAlone),
  Member(#"\ud83c\udffd"#, \.tone),
  Member(#"\ud83c\udffdx"#, \.toneBefore),
  Member(#"z\u0301\ud83c\udffb"#, \.toneBehind),
  Member(#"y\u200d"#, \.joinerBehind),
  Member(#"\u200dy"#, \.joinerBefore),
  Member(#"\ufe0f"#, \.variation),
  Member(#"\ud83c\udde9\ud83c\uddea"#, \.flag),
  Member(#"\ud83c\udde9"#, \.halfFlag),
  Member(#"\ud83c\uddea"#, \.otherHalf),
  Member(#"\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67"#, \.family),
  Member(#"\ud83d\udc4d"#, \.thumb),
  Member(#"\ud83d\udc4d\ud83c\udffd"#, \.thumbWithTone),
  Member(#"1\ufe0f\u20e3"#, \.keycap),
  Member(#"\u093f"#, \.vowelSign),
  Member(#"\u0915\u094d"#, \.virama),
  Member(#"\uac00"#, \.syllable),
  Member(#"caf\u00e9"#, \.composed),
  Member(#"\u00c5"#, \.ringComposed),
  Member(#"\ufb01"#, \.ligature),
  Member("fi", \.ligatureLetters),
  Member(#"\uff49\uff44"#, \.fullWidth),
  Member(#"q\u0323\u0307"#, \.dotsBelowAndAbove),
  Member("name", \.lower),
  Member("NAME", \.upper),
  Member("Name", \.capitalized),
  Member(#"n\u0131me"#, \.dotlessI),
  Member("class", \.classWord),
  Member("self", \.selfWord),
  Member("Type", \.typeWord),
  Member("init", \.initWord),
  Member("Any", \.anyWord),
  Member("_storage", \.storageWord),
  Member("_layout", \.layoutWord),
  Member("extra", \.extraWord),
  Member("__proto__", \.prototype),
  Member("_", \.underscore),
  Member("$ref", \.reference),
  Member("<<", \.merge),
  Member("null", \.nullWord),
  Member("true", \.trueWord),
  Member("1", \.number),
  Member("-1", \.minusOne),
  Member(#"\""#, \.doubleQuote),
  Member(#"\"q\""#, \.quotesAround),
  Member("'", \.quote),
  Member(#"\\"#, \.backslash),
  Member(#"\\n"#, \.backslashN),
  Member(#"\\u0041"#, \.backslashU),
  Member(#"\\(x)"#, \.interpolation),
  Member("A", \.letterA),
  Member("`", \.backtick),
  Member("a/b", \.slash),
  Member(#"#"#, \.hash),
  Member(#"#0"#, \.hashZero),
  Member("~", \.tilde),
  Member("a~b", \.tildes),
  Member(":", \.colon),
  Member("a:string", \.colonInside),
  Member("a?", \.question),
  Member("*", \.star),
  Member(".", \.dot),
  Member("..", \.dots),
  Member("{x}", \.braces),
  Member("[x]", \.brackets),
  Member("a,b", \.comma),
  Member("a=b", \.equals),
  Member("a|null", \.pipe),
  Member("%41", \.percent),
  Member(#"\u0000"#, \.nul),
  Member(#"\u0009"#, \.tab),
  Member(#"\u007f"#, \.delete),
  Member(#"\u0085"#, \.nextLine),
  Member(#"\ufeff"#, \.byteOrder),
  Member(#"\u202ea"#, \.rightToLeft),
  Member(#"\ue000"#, \.privateUse),
  Member(#"\udbff\udfff"#, \.noncharacter),
  Member(#"\ufffd"#, \.replacement),
  Member(String(repeating: "long", count: 250), \.long),
  Member(String(repeating: #"\ud83d\ude80\u0301"#, count: 2000), \.veryLong),
]
let lines: [Member<Odd.Lines>] = [
  Member(" ", \.space),
  Member("  ", \.twoSpaces),
  Member("two words", \.words),
  Member(" a", \.spaceBefore),
  Member("a ", \.spaceBehind),
  Member(#" \u0301"#, \.spaceAndAccent),
  Member(#"\u2028"#, \.lineSeparator),
  Member(#"\u3000"#, \.wideSpace),
  Member(#"\u1100\u1161"#, \.jamo),
  Member(#"cafe\u0301"#, \.decomposed),
  Member(#"A\u030a"#, \.ringDecomposed),
  Member(#"q\u0307\u0323"#, \.dotsAboveAndBelow),
  Member(#"\u0301b"#, \.accent),
  Member(#"\u0301"#, \.accentAlone),
  Member(#"d\u0600"#, \.prefixSign),
  Member(#"\u0600"#, \.prefixSignAlone),
  Member(#"\ud83c\udffd"#, \.tone),
  Member(#"\ud83c\udffdx"#, \.toneBefore),
  Member(#"z\u0301\ud83c\udffb"#, \.toneBehind),
  Member(#"y\u200d"#, \.joinerBehind),
  Member(#"\u200dy"#, \.joinerBefore),
  Member(#"\ufe0f"#, \.variation),
  Member(#"\ud83c\udde9\ud83c\uddea"#, \.flag),
  Member(#"\ud83c\udde9"#, \.halfFlag),
  Member(#"\ud83c\uddea"#, \.otherHalf),
  Member(#"\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67"#, \.family),
  Member(#"\ud83d\udc4d"#, \.thumb),
  Member(#"\ud83d\udc4d\ud83c\udffd"#, \.thumbWithTone),
  Member(#"1\ufe0f\u20e3"#, \.keycap),
  Member(#"\u093f"#, \.vowelSign),
  Member(#"\u0915\u094d"#, \.virama),
  Member(#"\ufb01"#, \.ligature),
  Member("fi", \.ligatureLetters),
  Member(#"\uff49\uff44"#, \.fullWidth),
  Member("name", \.lower),
  Member("NAME", \.upper),
  Member("Name", \.capitalized),
  Member(#"n\u0131me"#, \.dotlessI),
  Member("class", \.classWord),
  Member("self", \.selfWord),
  Member("Type", \.typeWord),
  Member("init", \.initWord),
]
// Other spellings of the same characters, which the model does not have, and parts of names.
let spellings = [
  #"cafe\u0301"#, #"A\u030a"#, #"\u212b"#, #"\u1100\u1161"#, #"q\u0307\u0323"#, "b", "d", "x", "z", "y", "nAME", "",
]
let otherSpellings = [
  #"caf\u00e9"#, #"\u00c5"#, #"\uac00"#, #"q\u0323\u0307"#, "   ", "two", "twowords", "nAME", "",
]
let found =
  try problems(Odd.Names(), names, unknown: spellings) + problems(Odd.Lines(), lines, unknown: otherSpellings)
for problem in found.prefix(50) { print(problem) }
if !found.isEmpty { exit(1) }
print("\(names.count + lines.count) odd names are read and written")
