extension Answer {
  /// The `errors` of a body that is a JSON object.
  var problemsBesideData: [Problem] { Problem.beside(data: body) }
}
