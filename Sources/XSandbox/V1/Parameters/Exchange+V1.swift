import Foundation

extension Exchange {
  /// A request to a v1.1 operation: parameters from the query, and from the form or the parts of the body if there are any; or a JSON body where
  /// the operation has a schema for one.
  init(
    v1 request: IncomingRequest, _ operation: Operation, path: [String: String], caller: Caller, now: Date,
    source: String
  ) throws(Problem) {
    var body = JSON.null
    if operation.body != nil {
      guard request.mediaType == "application/json" else {
        throw .badRequest("The body must be JSON, with the content type application/json.")
      }
      do {
        body = try JSON(parsing: request.body)
      } catch {
        throw .badRequest("The body is not valid JSON: \(error.reason).")
      }
      if let fault = operation.body?.faults(of: body).first { throw .badRequest(fault.message) }
    }
    var parameters: [String: String] = [:]
    var sent = RequestParameter.parse(form: request.query)
    var files: [String: Data] = [:]
    if request.hasFormBody { sent += RequestParameter.parse(form: String(decoding: request.body, as: UTF8.self)) }
    if request.mediaType == "multipart/form-data" {
      guard let multipart = MultipartBody(request) else { throw .badRequest("The multipart body is malformed.") }
      sent += multipart.values
      files = multipart.files
    }
    for parameter in sent where !parameter.isProtocolParameter {
      guard let value = String(validating: parameter.value, as: UTF8.self) else {
        throw .invalidParameter(parameter.nameText)
      }
      // What is there twice counts as it stands first.
      if parameters[parameter.nameText] == nil { parameters[parameter.nameText] = value }
    }
    self.init(
      caller: caller, operation: operation.key, path: path, query: [:], body: body, now: now, pageScope: operation.key,
      source: source,
      parameters: parameters, files: files)
  }
}
