extension JSONReader {
  /// Reads an object: calls `body` with the name of each member and the reader before its value. A value that `body`
  /// does not read is skipped.
  public mutating func object(
    _ body: (_ name: String, _ reader: inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try beginObject() else { return }
    repeat {
      let name = try string(expecting: "a member's name")
      try takeColon()
      do throws(JSONError) {
        try readOrSkip { (reader) throws(JSONError) in try body(name, &reader) }
      } catch {
        throw error.inMember(name)
      }
    } while try nextMember()
  }

  /// Reads an array: calls `body` with the index of each element and the reader before it. An element that `body`
  /// does not read is skipped.
  public mutating func array(
    _ body: (_ index: Int, _ reader: inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try beginArray() else { return }
    var index = 0
    repeat {
      do throws(JSONError) {
        try readOrSkip { (reader) throws(JSONError) in try body(index, &reader) }
      } catch {
        throw error.inElement(index)
      }
      index += 1
    } while try nextElement()
  }

  private mutating func readOrSkip(
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    let before = cursor
    try body(&self)
    if cursor == before { try skip() }
  }

  /// Reads any type that has a JSON form.
  public mutating func value<T: JSONCodable>(_: T.Type = T.self) throws(JSONError) -> T { try T(json: &self) }

  mutating func list<T: JSONCodable>(of _: T.Type) throws(JSONError) -> [T] {
    guard try beginArray() else { return [] }
    var list: [T] = []
    repeat {
      do throws(JSONError) {
        list.append(try T(json: &self))
      } catch {
        throw error.inElement(list.count)
      }
    } while try nextElement()
    return list
  }

  mutating func map<T: JSONCodable>(of _: T.Type) throws(JSONError) -> [String: T] {
    guard try beginObject() else { return [:] }
    var map: [String: T] = [:]
    repeat {
      let name = try string(expecting: "a member's name")
      try takeColon()
      do throws(JSONError) {
        map[name] = try T(json: &self)
      } catch {
        throw error.inMember("*")
      }
    } while try nextMember()
    return map
  }
}
