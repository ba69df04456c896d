/// Reads the payloads that an API sends on its own account, to `webhooks` and callbacks.
struct WebhookReader {
  let document: OpenAPIDocument
  let schemas: SchemaReader
  let log: ImportLog

  /// The payloads that are objects or unions; they become models, by which a receiver decodes them. One without a name
  /// gets its webhook's: `NewPetPayload`.
  ///
  /// - Throws: ``ImportError`` where the import is strict and a webhook is broken.
  func payloads() throws(ImportError) -> [Use] {
    var payloads: [Use] = []
    for webhook in document.root["webhooks"]?.object?.members ?? [] {
      payloads += try self.payloads(of: webhook.value, named: webhook.key, at: Pointer.child("#/webhooks", webhook.key))
    }
    for path in document.root["paths"]?.object?.members ?? [] {
      for operation in path.value.object?.members ?? [] {
        for callback in operation.value["callbacks"]?.object?.members ?? [] {
          let place = Pointer.child(Pointer.child(Pointer.child("#/paths", path.key), operation.key), "callbacks")
          for item in callback.value.object?.members ?? [] {
            payloads += try self.payloads(
              of: item.value, named: callback.key, at: Pointer.child(place, callback.key))
          }
        }
      }
    }
    return payloads
  }

  private func payloads(of item: DocumentValue, named name: String, at place: String) throws(ImportError) -> [Use] {
    var payloads: [Use] = []
    let read: Void? = try log.repairing("the webhook is left out", at: place) { () throws(ImportError) in
      let (item, pointer, _) = try document.resolved(item, at: place)
      for operation in item.object?.members ?? [] {
        guard let body = operation.value["requestBody"] else { continue }
        let (value, bodyPointer, _) = try document.resolved(body, at: Pointer.child(pointer, operation.key))
        for content in value["content"]?.object?.members ?? [] {
          guard let schema = content.value["schema"] else { continue }
          let use = try schemas.use(schema, at: Pointer.child(bodyPointer, content.key))
          switch use.shape {
          case .named: payloads.append(use)
          case .object, .union:
            // Named after its webhook; the bodies of several media types are mostly the same.
            payloads.append(schemas.name(use, at: Pointer.child(place, Words(name).pascal + "Payload")))
          case .scalar, .list, .map, .enumeration:
            log.note("the payload is no object, and becomes no model", at: place)
          }
        }
      }
    }
    return read == nil ? [] : payloads
  }
}
