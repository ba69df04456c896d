/// Reads and checks the JSON body of a request.
enum BodyValidation {
  static func check(_ request: IncomingRequest, against schema: BodySchema) throws(Problem) -> JSON {
    guard request.mediaType == "application/json" else {
      throw .invalidRequest([
        InvalidParameter(
          name: "Content-Type", values: request.mediaType.map { [$0] } ?? [],
          message: "Requests with bodies must have content-type of application/json.")
      ])
    }
    let value: JSON
    do {
      value = try JSON(parsing: request.body)
    } catch {
      throw .invalidRequest([
        InvalidParameter(name: "$", message: "Requests with bodies must be valid JSON: \(error.reason).")
      ])
    }
    let faults = schema.faults(of: value)
    guard faults.isEmpty else { throw .invalidRequest(faults) }
    return value
  }
}
