import CallsignCatalogue

extension Int {
  /// `1 file`, `2 files`.
  func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension Catalogue {
  /// `4 endpoints and 3 models`
  var counts: String {
    let endpoints = groups.reduce(0) { $0 + $1.endpoints.count }
    let models = groups.reduce(0) { $0 + $1.models.count }
    return endpoints.counting("endpoint") + " and " + models.counting("model")
  }
}
