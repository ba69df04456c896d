/// A multipart body and the media type that goes with it.
struct MultipartForm {
  var body: RequestBody
  var contentType: String

  static func make(_ parts: [CallPart], endpoint: String) throws(InvalidCall) -> MultipartForm {
    throw InvalidCall(endpoint: endpoint, reason: .body("multipart is not here yet"))
  }
}
