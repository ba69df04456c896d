import CallsignCatalogue

/// Reads the payloads that an API sends to `webhooks` and callbacks, and how it signs them.
struct WebhookReader {
  let document: OpenAPIDocument
  let schemas: SchemaReader
  let log: ImportLog
  /// How deliveries are signed, according to the header fields in their descriptions; `nil` if these do not show it.
  private(set) var scheme: WebhookScheme?

  init(document: OpenAPIDocument, schemas: SchemaReader, log: ImportLog) {
    self.document = document
    self.schemas = schemas
    self.log = log
  }

  /// The payloads that are objects or unions. They become models, which a receiver uses to decode them. A payload without a name is
  /// named after its webhook: `NewPetPayload`.
  ///
  /// - Throws: ``ImportError`` if the import is strict and a webhook is broken.
  mutating func payloads() throws(ImportError) -> [Use] {
    var payloads: [Use] = []
    for section in OpenAPIDocument.webhookSections {
      for webhook in document.root[section]?.object?.members ?? [] where !webhook.key.hasPrefix("x-") {
        payloads += try self.payloads(
          of: webhook.value, named: webhook.key, at: Pointer.child("#/\(section)", webhook.key))
      }
    }
    for path in document.root["paths"]?.object?.members ?? [] {
      // A path that leads nowhere has already been left out.
      guard let (item, pointer, _) = try? document.resolved(path.value, at: Pointer.child("#/paths", path.key)) else {
        continue
      }
      for operation in item.object?.members ?? [] {
        let place = Pointer.child(pointer, operation.key)
        guard let (value, _) = try? document.operation(operation.value, at: place) else { continue }
        for callback in value["callbacks"]?.object?.members ?? [] {
          let place = Pointer.child(
            Pointer.child(Pointer.child(Pointer.child("#/paths", path.key), operation.key), "callbacks"), callback.key)
          let shared = try log.repairing("the callback is left out", at: place) { () throws(ImportError) in
            try document.resolved(callback.value, at: place)
          }
          for item in shared?.value.object?.members ?? [] {
            payloads += try self.payloads(of: item.value, named: callback.key, at: shared?.pointer ?? place)
          }
        }
      }
    }
    return payloads
  }

  private mutating func payloads(
    of item: DocumentValue, named name: String, at place: String
  ) throws(ImportError) -> [Use] {
    var payloads: [Use] = []
    var headers: [Header] = []
    let read: Void? = try log.repairing("the webhook is left out", at: place) { () throws(ImportError) in
      let (item, pointer, _) = try document.resolved(item, at: place)
      headers += try self.headers(of: item, at: pointer)
      for member in item.object?.members ?? [] {
        let (operation, place) = try document.operation(member.value, at: Pointer.child(pointer, member.key))
        headers += try self.headers(of: operation, at: place)
        guard let body = operation["requestBody"] else { continue }
        let (value, bodyPointer, _) = try document.resolved(body, at: place)
        for content in value["content"]?.object?.members ?? [] {
          guard let schema = content.value["schema"] else { continue }
          var use = try schemas.use(schema, at: Pointer.child(bodyPointer, content.key))
          // A receiver decodes a list of the models.
          if case .list(let element) = try schemas.resolved(use, at: place).shape {
            log.note("the payload is a list; its elements become a model", at: place)
            use = element
          }
          switch use.shape {
          case .named: payloads.append(use)
          case .object, .union:
            // Named after its webhook. The bodies of several media types are usually the same.
            payloads.append(schemas.name(use, at: Pointer.child(place, Words(name).pascal + "Payload")))
          case .scalar, .list, .map, .enumeration:
            log.note("the payload is not an object, so it does not become a model", at: place)
          }
        }
      }
    }
    if let found = Self.scheme(headers) {
      if scheme == nil { scheme = found }
      if scheme != found { log.warn("other webhooks are signed in another way; the first one's is taken", at: place) }
    }
    return read == nil ? [] : payloads
  }

  // MARK: Signatures

  /// A header field of a delivery, with an example of it.
  private struct Header {
    var name: String
    var example: String?
  }

  private func headers(of value: DocumentValue, at pointer: String) throws(ImportError) -> [Header] {
    var headers: [Header] = []
    for (index, parameter) in (value["parameters"]?.list ?? []).enumerated() {
      let place = Pointer.child(Pointer.child(pointer, "parameters"), String(index))
      let (parameter, _, _) = try document.resolved(parameter, at: place)
      guard parameter["in"]?.string == "header", let name = parameter["name"]?.string, HeaderName.isValid(name) else {
        continue
      }
      let examples = parameter.ownExamples + (parameter["schema"]?.ownExamples ?? [])
      headers.append(Header(name: name, example: examples.lazy.compactMap(\.string).first))
    }
    return headers
  }

  /// How deliveries with these header fields are signed: according to Standard Webhooks, or with an HMAC of the body as in WebSub
  /// (W3C) or in an example.
  private static func scheme(_ headers: [Header]) -> WebhookScheme? {
    for prefix in ["webhook", "svix"] {
      let names = ["signature", "timestamp", "id"].compactMap { part in
        headers.first { $0.name.lowercased() == "\(prefix)-\(part)" }?.name
      }
      guard names.count == 3 else { continue }
      return WebhookScheme(
        header: names[0], format: "v1,{base64}", message: "{id}.{timestamp}.{body}", timestamp: names[1], id: names[2],
        key: .base64)
    }
    let signed = headers.compactMap { header in hash(of: header).map { (header.name, $0) } }
    // An older field with a weaker function is often present as well.
    guard let (name, hash) = signed.first(where: { $0.1 != .sha1 }) ?? signed.first else { return nil }
    return WebhookScheme(header: name, format: "\(hash.rawValue)={hex}", hash: hash)
  }

  /// The hash function of a signature such as `sha256=0123…`.
  private static func hash(of header: Header) -> WebhookScheme.Hash? {
    let name = header.name.lowercased()
    guard name.contains("signature") else { return nil }
    if let example = header.example {
      let parts = example.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[1].allSatisfy(\.isHexDigit) else { return nil }
      return WebhookScheme.Hash(rawValue: String(parts[0]))
    }
    switch name {
    case "x-hub-signature-256": return .sha256
    case "x-hub-signature": return .sha1
    default: return nil
    }
  }
}
