extension Answer {
  /// The body as a value.
  func decode<Value: JSONDecodable>() throws(CallError) -> Value {
    do throws(JSONError) {
      var reader = JSONReader(body)
      return try Value(json: &reader)
    } catch { throw CallError(error, answer: self) }
  }
}
