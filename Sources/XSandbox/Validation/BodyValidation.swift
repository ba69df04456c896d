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

  /// The parts of a multipart body; `nil` for a body of another type.
  static func parts(of request: IncomingRequest) throws(Problem) -> MultipartBody? {
    guard request.mediaType == "multipart/form-data" else { return nil }
    guard let body = MultipartBody(request) else {
      throw .invalidRequest([InvalidParameter(name: "$", message: "The multipart body is malformed.")])
    }
    return body
  }
}
