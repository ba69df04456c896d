/// The values of a request's form body and query. What is there twice counts as it stands first.
struct RequestForm: Sendable {
  private var values: [String: String] = [:]

  /// - Parameter includingQuery: whether the query counts, too; secrets do not belong there.
  init(_ request: IncomingRequest, includingQuery: Bool = false) {
    var parameters: [RequestParameter] = []
    if request.hasFormBody { parameters += RequestParameter.parse(form: String(decoding: request.body, as: UTF8.self)) }
    if includingQuery { parameters += RequestParameter.parse(form: request.query) }
    for parameter in parameters where values[parameter.nameText] == nil {
      values[parameter.nameText] = parameter.valueText
    }
  }

  /// A value that is there and isn't empty.
  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether a name is there, whatever its value.
  func has(_ name: String) -> Bool { values[name] != nil }
}
