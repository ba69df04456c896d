import Callsign
import CallsignJSON
import CallsignSupport

/// A value ready to be sent: the content of a generated method's argument, without its Swift type.
indirect enum WireValue: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case number(Double)
  /// A number that is written with more digits than a `Double` holds.
  case digits(String, Double)
  /// A decimal number, as originally written if that can be sent.
  case decimal(Decimal, isText: Bool, written: String?)
  case text(String)
  case date(Date, DateFormat)
  case duration(Duration, DurationFormat)
  case bytes(Data)
  case base64URL(Data)
  case file(FilePart)
  /// Any JSON, as given.
  case json(JSONValue)
  case list([WireValue])
  /// Members in the order of the catalogue, or of their names if the names are data.
  case object([(name: String, value: WireValue)])

  /// The value outside JSON: in a path, query, header, form or part of a body.
  ///
  /// - Returns: `nil` if the value has no text, such as a list, or a date that its format cannot represent.
  var text: String? {
    switch self {
    case .null: ""
    case .bool(let value): value.parameterText
    case .int(let value): value.parameterText
    case .number(let value): value.parameterText
    case .digits(let text, _): text
    case .decimal(let value, _, let written): written ?? value.parameterText
    case .text(let value): value
    case .date(let value, let format): format.string(from: value)
    case .duration(let value, let format): format.string(from: value)
    case .bytes(let value): value.base64EncodedString()
    case .base64URL(let value): Base64URLText(value).text
    case .json(let value): value.string ?? value.description
    case .file, .list, .object: nil
    }
  }
}

extension WireValue: JSONCodable {
  /// Reads any JSON unchanged.
  init(json reader: inout JSONReader) throws(JSONError) { self = .json(try reader.value()) }

  /// Writes exactly one value, byte for byte like the generated types.
  func write(json writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .number(let value): writer.number(value)
    case .digits(let text, _): writer.literal(text)
    case .decimal(_, let isText, let written?):
      if isText { writer.string(written) } else { writer.literal(written) }
    case .decimal(let value, let isText, nil):
      if isText { DecimalText(value).write(json: &writer) } else { value.write(json: &writer) }
    case .text(let value): writer.string(value)
    case .date(let value, let format): writer.date(value, format)
    case .duration(let value, let format): writer.duration(value, format)
    case .bytes(let value): value.write(json: &writer)
    case .base64URL(let value): Base64URLText(value).write(json: &writer)
    case .file: writer.null()
    case .json(let value): value.write(json: &writer)
    case .list(let values): writer.array { writer in for value in values { value.write(json: &writer) } }
    case .object(let members):
      writer.object { writer in
        for (name, value) in members {
          writer.name(name)
          value.write(json: &writer)
        }
      }
    }
  }
}
