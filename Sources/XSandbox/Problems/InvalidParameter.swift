/// One fault in the parameters of a request, as X lists it in `errors`.
struct InvalidParameter: Sendable {
  var name: String
  var values: [String] = []
  var message: String

  var document: JSON {
    ["message": .string(message), "parameters": .object([name: .array(values.map(JSON.string))])]
  }
}
