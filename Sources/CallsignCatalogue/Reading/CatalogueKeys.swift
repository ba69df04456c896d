/// The keys that each mapping of a catalogue file may have: the one list that the loader goes by and that
/// `spec/catalogue.schema.json` is held against.
protocol CatalogueKey: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

/// At the top of a file.
enum FileKey: String, CatalogueKey { case api, group, endpoints, models }

enum APIKey: String, CatalogueKey { case name, summary, docs, hosts, schemes, auth, webhooks }

/// A host in its long form.
enum HostKey: String, CatalogueKey { case url, variables }

enum HostVariableKey: String, CatalogueKey {
  case fallback = "default"
  case values, name, summary
}

/// How deliveries to webhooks are signed.
enum WebhookKey: String, CatalogueKey { case signature, message, timestamp, id, hash, key }

enum GroupKey: String, CatalogueKey { case summary, auth, host }

enum EndpointKey: String, CatalogueKey {
  case call, name, summary, details, docs, host, auth, limits, params, body
  case oneOf = "one_of"
  case anyOf = "any_of"
  case together, returns, stream, pages, deprecated, repeatable
}

enum ParameterKey: String, CatalogueKey {
  case type
  case place = "in"
  case list, value, name, summary, deprecated
}

/// The keys of `stream` in its long form.
enum StreamKey: String, CatalogueKey { case framing, length, backfill, id }

enum PagesKey: String, CatalogueKey {
  case token, cursor
  case maxID = "max_id"
  case page, next, previous, items, size, id, since
}

/// The keys of a model beside its fields.
enum ModelKey: String, CatalogueKey {
  case summary = "$summary"
  case docs = "$docs"
  case deprecated = "$deprecated"
  case name = "$name"
  case extra = "$extra"
  case enumeration = "$enum"
  case closed = "$closed"
  case of = "$of"
  case union = "$union"
  case tag = "$tag"
  case type = "$type"
}

enum FieldKey: String, CatalogueKey {
  case type, name, also, value, summary, deprecated
  case readOnly = "read_only"
  case writeOnly = "write_only"
}

enum EnumCaseKey: String, CatalogueKey { case name, summary }

enum VariantKey: String, CatalogueKey { case type, name }
