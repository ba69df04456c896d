extension Answer {
  /// The body as a value.
  func decode<Value: JSONDecodable>() throws(CallError) -> Value {
    do throws(JSONError) { return try Value(jsonData: body) } catch { throw CallError(error, answer: self) }
  }
}
