import CallsignCatalogue

/// Reads how the fields of a form or a multipart body are written, from the `encoding` next to their schema.
struct FieldEncoding {
  private let members: DocumentValue?
  private let properties: DocumentObject?
  private let document: OpenAPIDocument
  private let log: ImportLog
  private let pointer: String

  /// - Parameters:
  ///   - content: The body's media type object.
  ///   - pointer: The place of the media type object.
  init(of content: DocumentValue, at pointer: String, document: OpenAPIDocument, log: ImportLog) {
    members = content["encoding"]
    let schema = content["schema"].flatMap { try? document.resolved($0, at: pointer).value }
    properties = schema?["properties"]?.object
    self.pointer = pointer
    self.document = document
    self.log = log
  }

  subscript(name: String) -> DocumentValue? { members?[name] }

  /// The media types of a field's value, in lowercase and without parameters.
  func mediaTypes(of name: String) -> [String] {
    let text = members?[name]?["contentType"]?.string ?? ""
    return text.split(separator: ",").map { type in
      type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    }.filter { !$0.isEmpty }
  }

  /// Whether a value without a schema is binary, according to its media type here or in its schema.
  func isBinary(_ name: String) -> Bool {
    var types = mediaTypes(of: name)
    if types.isEmpty, let schema = properties?[name], let value = try? document.resolved(schema, at: pointer).value,
      let type = value["contentMediaType"]?.string
    {
      types = [type.lowercased()]
    }
    return !types.isEmpty && !types.contains { MediaType.isJSON($0) || $0.hasPrefix("text/") }
  }

  /// Whether an object is written in a format other than JSON.
  func isForeign(_ name: String) -> Bool {
    let types = mediaTypes(of: name)
    return !types.isEmpty && !types.contains { MediaType.isJSON($0) }
  }

  /// Reports which parts of an encoding the client's writer does not support.
  func note(partsNamed names: [(name: String, isFile: Bool, isJSON: Bool)]) {
    for (name, isFile, isJSON) in names {
      guard let own = members?[name] else { continue }
      let place = Pointer.child(Pointer.child(pointer, "encoding"), name)
      if own["headers"]?.object?.members.isEmpty == false {
        log.count("the header fields of a part (`headers` of `encoding`) cannot be expressed in a catalogue", at: place)
      }
      let types = mediaTypes(of: name)
      let text = types.joined(separator: " or ")
      if isFile, types != ["application/octet-stream"], !types.isEmpty {
        log.note("`\(name)` is of type \(text): give its `FilePart` that media type", at: place)
      } else if !isFile, !isJSON, types.contains(where: { $0 != "text/plain" }) {
        log.note("`\(name)` is sent as plain text, not as \(text)", at: place)
      } else if isJSON, !types.isEmpty, !types.contains("application/json") {
        log.note("`\(name)` is sent as application/json, not as \(text)", at: place)
      }
    }
  }

  /// Reports encodings that belong to no field, or that a catalogue cannot express.
  func noteUnsaid(fields: Set<String>) {
    for member in members?.object?.members ?? [] {
      let place = Pointer.child(Pointer.child(pointer, "encoding"), member.key)
      if !fields.contains(member.key) { log.note("the body has no `\(member.key)` to encode", at: place) }
      if member.value["allowReserved"]?.bool == true { log.countUnsaid(keyword: "allowReserved", at: place) }
    }
  }
}
