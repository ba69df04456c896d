import CallsignCatalogue

/// What the document says of one operation.
struct OperationShape {
  var name: String
  var method: String
  var path: String
  var tag: String
  var pointer: String
  var host: String?
  var documentation: String?
  /// The document's own one-line summary, which is only used when the importer is told to.
  var documentSummary: String?
  var isDeprecated = false
  var auth: [AuthRequirement] = []
  var parameters: [ParameterShape] = []
  var rules: [MemberRule] = []
  var body: BodyFormat?
  /// The schema whose members are the parameters, if it has a name.
  var bodySchema: String?
  var answer: Use?
  var stream: StreamFraming?
}

struct ParameterShape {
  var name: String
  var place: Parameter.Place
  var use: Use
  var isRequired: Bool
  var listStyle: Parameter.ListStyle = .comma
  var annotations = Annotations()
  /// The name under which the document keeps the parameter for several operations.
  var sharedName: String?
}
