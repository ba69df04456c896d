/// A model or a list of models that was read and that nobody has asked for yet: words in a reader's workspace, or behind the
/// slots of the model that it is in.
///
/// Most nested models of a response are never looked at, and each object costs an allocation. So small ones stay records until
/// a property asks for them, which makes objects of them once. A record is never changed after it was read; the strings of
/// one are made in its object.
///
/// A model's record is the address of its plan, a word about it, and then what a ``ModelBuffer`` has: a payload for each slot,
/// a byte for each with its tag, and the records that it holds. A list's is the same address with its lowest bit set, a word
/// about it, and the records of its elements. A slot that holds a record has its distance from the first payload in words,
/// doubled, and its lowest bit set, which is so in no address of an object.
struct ModelRecord {
  typealias Words = UnsafeMutablePointer<UInt>

  /// Words before the payloads, or before the first element of a list.
  static let headCount = 2
  /// The most words of a record that stays one: where a nested one is asked for, it is copied with all that it holds.
  static let limit = 128
  /// The most words of a model with its records, so that names that come again and again take no more.
  static let outerLimit = 4096

  let start: Words

  init(_ start: Words) { self.start = start }

  /// The record that a slot holds.
  init(in payloads: Words, _ payload: UInt) { start = payloads + Int(payload &>> 1) }

  static func payload(distance: Int) -> UInt { UInt(bitPattern: distance) &<< 1 | 1 }

  /// The words that a model's slots take, payloads and tags.
  @inline(__always)
  static func slotWords(_ slotCount: Int) -> Int { slotCount &+ (slotCount &+ 7) / 8 }

  var plan: UnsafeMutablePointer<ModelSchema.Plan> {
    // What makes a record puts the address of a plan there, which is never freed.
    UnsafeMutablePointer(bitPattern: start[0] & ~1).unsafelyUnwrapped
  }

  var isList: Bool { start[0] & 1 == 1 }
  /// All words of the record.
  var wordCount: Int { Int(start[1] &>> 32) }

  // MARK: Models

  var payloads: Words { start + Self.headCount }
  /// Whether a string in it is a range of the document.
  var hasText: Bool { start[1] & 1 != 0 }
  /// Whether something in it is a reference.
  var hasReferences: Bool { start[1] & 2 != 0 }

  @inline(__always)
  static func word(wordCount: Int, hasText: Bool, hasReferences: Bool) -> UInt {
    UInt(bitPattern: wordCount) &<< 32 | (hasReferences ? 2 : 0) | (hasText ? 1 : 0)
  }

  // MARK: Lists

  /// The number of elements of a list.
  var count: Int { Int(start[1] & 0xFFFF_FFFF) }

  static func word(wordCount: Int, count: Int) -> UInt { UInt(bitPattern: wordCount) &<< 32 | UInt(bitPattern: count) }

  /// Calls `body` with the record of each element of a list.
  @inline(__always)
  func forEach(_ body: (ModelRecord) -> Void) {
    Self.forEach(from: start + Self.headCount, to: start + wordCount, body)
  }

  /// Calls `body` with each of the models' records that follow one another between two places.
  @inline(__always)
  static func forEach(from start: Words, to end: Words, _ body: (ModelRecord) -> Void) {
    var place = start
    while place < end {
      let record = ModelRecord(place)
      body(record)
      place += record.wordCount
    }
  }

  // MARK: References

  /// Calls `body` with the tag and the payload of each reference in the records between two places, complete or not.
  static func forEachReference(from start: Words, to end: Words, _ body: (SlotTag, UInt) -> Void) {
    var place = start
    while place < end {
      let record = ModelRecord(place)
      place += headCount
      if record.isList { continue }
      let count = record.plan.pointee.slotCount
      let tags = ModelBuffer.tags(place, count)
      for index in 0..<count where tags[index].isReference && place[index] & 1 == 0 { body(tags[index], place[index]) }
      place += slotWords(count)
    }
  }
}
