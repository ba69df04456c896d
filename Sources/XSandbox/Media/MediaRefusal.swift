/// Why an upload, or its use, is refused; each version of the API says so in its own form.
enum MediaRefusal: Error {
  case unknown
  case alreadyComplete
  case segmentTooLarge
  case tooManyBytes
  case segmentDiffers(Int)
  case incomplete
  case tooLarge(limit: Int)
  case wrongType(String, category: String)
  case notUsable
  case mixed

  var message: String {
    switch self {
    case .unknown: "A media id was not found."
    case .alreadyComplete: "The upload is finalized already."
    case .segmentTooLarge: "A segment has at most 5 MB."
    case .tooManyBytes: "The segments are larger than the announced total_bytes."
    case .segmentDiffers(let index): "Segment \(index) was sent before with other bytes."
    case .incomplete: "Segments do not add up to provided total file size."
    case .tooLarge(let limit): "File size exceeds \(limit) bytes."
    case .wrongType(let type, let category): "media type \(type) is not supported for media category \(category)."
    case .notUsable: "Your media IDs are invalid."
    case .mixed: "You may attach up to 4 photos, 1 animated GIF or 1 video."
    }
  }

  /// As v1.1 says it.
  var v1: Problem {
    switch self {
    case .unknown: .v1(400, 325, message)
    default: .v1(400, 324, message)
    }
  }

  /// As v2 says it.
  func v2(_ parameter: String, _ value: String) -> Problem {
    .invalidRequest([InvalidParameter(name: parameter, values: value.isEmpty ? [] : [value], message: message)])
  }
}
