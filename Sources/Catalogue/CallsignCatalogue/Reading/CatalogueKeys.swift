/// The keys that each mapping of a catalogue file may have. The loader uses this list, and `spec/catalogue.schema.json` is tested
/// against it.
package protocol CatalogueKey: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

/// The names of one kind of key, in order and for lookup.
struct KeyNames {
  let list: [String]
  let set: Set<String>

  init(_ list: [String]) {
    self.list = list
    set = Set(list)
  }
}

/// The entries of a mapping, by key.
///
/// All kinds of keys share one table, because a table for each kind would lengthen the build of everyone with a catalogue.
package struct Keyed<Key: CatalogueKey, Value> {
  private var values: NamedValues<Value>

  package init() { values = NamedValues() }

  init(_ values: NamedValues<Value>) { self.values = values }

  package subscript(key: Key) -> Value? {
    get { values.value(key.rawValue) }
    set { values.set(newValue, key.rawValue) }
  }

  /// The existing entries, in the order of the keys.
  package var all: [(key: Key, value: Value)] {
    var all: [(key: Key, value: Value)] = []
    for key in Key.allCases where all.count < values.byName.count {
      if let value = self[key] { all.append((key, value)) }
    }
    return all
  }

  func mapValues<Other>(_ transform: (Value) -> Other) -> Keyed<Key, Other> {
    Keyed<Key, Other>(NamedValues(byName: values.byName.mapValues(transform)))
  }
}

extension Keyed: Sendable where Value: Sendable {}

/// Values by name. Nothing is inlined, because hundreds of places use this and everyone with a catalogue builds them.
struct NamedValues<Value> {
  fileprivate(set) var byName: [String: Value] = [:]

  func value(_ name: String) -> Value? { byName[name] }

  mutating func set(_ value: Value?, _ name: String) {
    if let value { byName.updateValue(value, forKey: name) } else { byName.removeValue(forKey: name) }
  }
}

extension NamedValues: Sendable where Value: Sendable {}

/// The top-level keys of a file.
package enum FileKey: String, CatalogueKey { case api, group, params, fields, mixins, patterns, endpoints, models }

package enum APISectionKey: String, CatalogueKey {
  case name, summary, docs, hosts, schemes, auth, headers, query, failure, errors, idempotency, webhooks
}

/// The keys of a scheme, in addition to its scopes.
enum SchemeKey: String, CatalogueKey {
  case summary = "$summary"
  case place = "$in"
  case name = "$name"
  case prefix = "$prefix"
}

/// The keys of a host in its long form.
enum HostKey: String, CatalogueKey { case url, variables }

enum HostVariableKey: String, CatalogueKey {
  case fallback = "default"
  case values, name, summary
}

/// The keys that describe how webhook deliveries are signed.
enum WebhookKey: String, CatalogueKey { case signature, message, timestamp, id, hash, key }

package enum GroupKey: String, CatalogueKey { case summary, auth, host, docs, limits }

package enum EndpointKey: String, CatalogueKey {
  case call, like, name, summary, details, docs, host, auth, limits, params, body
  case bodyRequired = "body_required"
  case oneOf = "one_of"
  case anyOf = "any_of"
  case together, returns, status, stream, pages, poll, deprecated, repeatable, accept, errors, idempotency
  case responseHeaders = "response_headers"
}

/// The keys of `poll`.
enum PollKey: String, CatalogueKey { case ask, header, url, with, returns, done, failed, every, cancel }

/// The keys of a mixin: fields of models, or keys of endpoints.
enum MixinKey: String, CatalogueKey {
  case summary, like, fields, docs, host, auth, limits, params, body
  case bodyRequired = "body_required"
  case oneOf = "one_of"
  case anyOf = "any_of"
  case together, returns, status, stream, pages, poll, deprecated, repeatable, accept, errors, idempotency
  case responseHeaders = "response_headers"
}

package enum ParameterKey: String, CatalogueKey {
  case type
  case place = "in"
  case wire = "as"
  case list, object, reserved, value, name, summary, deprecated
  case fallback = "default"
}

/// The keys of `stream` in its long form.
enum StreamKey: String, CatalogueKey { case framing, length, backfill, id, end, record }

enum PagesKey: String, CatalogueKey {
  case token, cursor
  case maxID = "max_id"
  case page, offset
  case lastID = "last_id"
  case url, link, next
  case nextHeader = "next_header"
  case more, total, first, previous, items, size, id, since
}

enum ResponseHeaderKey: String, CatalogueKey { case type, name, summary }

/// The keys of a model, in addition to its fields.
package enum ModelKey: String, CatalogueKey {
  case like = "$like"
  case summary = "$summary"
  case docs = "$docs"
  case deprecated = "$deprecated"
  case name = "$name"
  case extra = "$extra"
  case enumeration = "$enum"
  case closed = "$closed"
  case of = "$of"
  case members = "$members"
  case except = "$except"
  case union = "$union"
  case tag = "$tag"
  case type = "$type"

  /// The keys that define what a model is. A model without fields has exactly one of them.
  package static let shapes: [ModelKey] = [.enumeration, .members, .union, .type]
}

package enum FieldKey: String, CatalogueKey {
  case type, name, also, value, summary, deprecated
  case fallback = "default"
  case readOnly = "read_only"
  case writeOnly = "write_only"
}

package enum EnumCaseKey: String, CatalogueKey { case name, summary }

enum VariantKey: String, CatalogueKey { case type, name }
