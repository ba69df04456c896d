import CallsignYAML
import CatalogueTestSupport
import Foundation
import TestSupport
import Testing

@testable import CallsignCatalogue
@testable import CallsignOpenAPI

@Suite("spec/catalogue.schema.json describes what the loader accepts")
struct SchemaTests {
  private static let schemaPath = PackageFolder.url("spec/catalogue.schema.json").path

  private static let overlayPath = schemaPath.replacingOccurrences(
    of: "catalogue.schema.json", with: "overlay.schema.json")

  private static func schema() throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: schemaPath))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private static func all<Key: CatalogueKey>(_: Key.Type) -> Set<String> { Set(Key.allCases.map(\.rawValue)) }

  /// `nil` is the file itself.
  private static let mappings: [(definition: String?, keys: Set<String>)] = [
    (nil, all(FileKey.self)), ("api", all(APISectionKey.self)), ("longHost", all(HostKey.self)),
    ("hostVariable", all(HostVariableKey.self)), ("webhooks", all(WebhookKey.self)), ("group", all(GroupKey.self)),
    ("endpoint", all(EndpointKey.self)), ("longParameter", all(ParameterKey.self)), ("longStream", all(StreamKey.self)),
    ("pages", all(PagesKey.self)), ("responseHeader", all(ResponseHeaderKey.self)), ("longModel", all(ModelKey.self)),
    ("longField", all(FieldKey.self)), ("mixin", all(MixinKey.self)), ("poll", all(PollKey.self)),
    ("enumCase", all(EnumCaseKey.self)), ("longVariant", all(VariantKey.self)),
  ]

  @Test("the keys of every mapping are those of the loader", arguments: mappings)
  func keys(definition: String?, keys: Set<String>) throws {
    let schema = try Self.schema()
    let definitions = try #require(schema["definitions"] as? [String: [String: Any]])
    let mapping = definition.map { definitions[$0] ?? [:] } ?? schema
    #expect(Set((mapping["properties"] as? [String: Any] ?? [:]).keys) == keys)
  }

  @Test("the keys of every mapping of an overlay equal those of the merge and the catalogue")
  func overlayKeys() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: Self.overlayPath))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let definitions = try #require(schema["definitions"] as? [String: [String: Any]])
    let sections = try #require(schema["properties"] as? [String: [String: Any]])
    func keys(_ definition: [String: Any]?) -> Set<String> {
      Set((definition?["properties"] as? [String: Any] ?? [:]).keys)
    }
    func all<Key: CatalogueKey>(_: Key.Type) -> Set<String> { Set(Key.allCases.map(\.rawValue)) }
    #expect(Set(sections.keys) == all(OverlayKey.self))
    #expect(keys(sections["api"]) == all(APISectionKey.self))
    #expect(keys(definitions["import"]) == all(OverlayImportKey.self))
    #expect(
      keys(definitions["endpoint"]) == all(EndpointKey.self).subtracting(["like"]).union(all(OverlayEndpointKey.self)))
    #expect(keys(definitions["longParameter"]) == all(ParameterKey.self))
    #expect(keys(definitions["longField"]) == all(FieldKey.self))
    #expect(keys(definitions["model"]) == all(ModelKey.self).subtracting(["$like"]).union(all(OverlayModelKey.self)))
  }

  @Test("good overlays are valid, bad ones are not", .needs(.python(with: "jsonschema")))
  func overlayValidation() throws {
    let xOverlay = Self.overlayPath.replacingOccurrences(of: "overlay.schema.json", with: "x-v2.overlay.yaml")
    let good = [
      try String(contentsOfFile: xOverlay, encoding: .utf8), "", "endpoints: {a: ~, b: Does it., c: {call: GET /c}}",
      "endpoints: {a: {params: {b: ~, c: int, d: {summary: x}}, add: {e: string?}, first: [c]}}",
      "models: {A: ~, B: {$add: {x: int}, y: ~}, C: {$enum: {a: ~}, $add: [b]}, D: [int]}",
      "api: {hosts: {a: ~}, schemes: {oauth2: {read: ~}, oauth1: ~}}", "groups: {a: Pets., b: {host: files}}",
      "params: {a: {name: b}, c: UserID, d: ~}", "fields: {a: date, b: ~}", "import: {names: {A: B}, required: [data]}",
    ]
    let bad = [
      "operations: {}", "endpoints: {a: [b]}", "endpoints: {a: {sumary: x}}", "endpoints: {a: {first: b}}",
      "models: {A: {x: {typ: int}}}", "models: {A: {$sumary: x}}", "params: {a: {nam: b}}", "import: {name: {}}",
      "import: {required: data}", "endpoints: {a: {limits: {user: often}}}",
    ]
    for text in good {
      #expect(try Validator.problems(of: try json(text), schema: Self.overlayPath) == "", "\(text.prefix(60))")
    }
    for text in bad {
      #expect(try Validator.problems(of: try json(text), schema: Self.overlayPath) != "", "\(text)")
    }
  }

  @Test("the words of every choice equal those of the model")
  func choices() throws {
    let definitions = try #require(try Self.schema()["definitions"] as? [String: [String: Any]])
    func words(_ name: String, _ key: String) -> Set<String> {
      let properties = definitions[name]?["properties"] as? [String: [String: Any]]
      return Set(properties?[key]?["enum"] as? [String] ?? [])
    }
    let body =
      (definitions["endpoint"]?["properties"] as? [String: [String: Any]])?["body"]?["anyOf"] as? [[String: Any]]
    #expect(Set(body?.first?["enum"] as? [String] ?? []) == Set(BodyFormat.allCases.map(\.rawValue)))
    #expect(
      Set(definitions["framing"]?["enum"] as? [String] ?? []) == Set(StreamFraming.allCases.map(\.rawValue)))
    #expect(words("longParameter", "in") == Set(Parameter.Place.allCases.map(\.rawValue)))
    #expect(words("longParameter", "object") == Set(Parameter.ObjectStyle.allCases.map(\.rawValue)))
    #expect(words("webhooks", "hash") == Set(WebhookScheme.Hash.allCases.map(\.rawValue)))
    #expect(words("webhooks", "key") == Set(WebhookScheme.Key.allCases.map(\.rawValue)))
    #expect(words("longParameter", "list") == Set(Parameter.ListStyle.allCases.map(\.rawValue)))
  }

  @Test("every key has a description for the editor")
  func descriptions() throws {
    let definitions = try #require(try Self.schema()["definitions"] as? [String: [String: Any]])
    func isDescribed(_ schema: [String: Any]) -> Bool {
      if schema["description"] != nil { return true }
      guard let name = (schema["$ref"] as? String)?.split(separator: "/").last else { return false }
      return definitions[String(name)]?["description"] != nil
    }
    for (name, definition) in definitions {
      for (key, property) in definition["properties"] as? [String: [String: Any]] ?? [:] {
        #expect(isDescribed(property), "\(name).\(key)")
      }
    }
  }

  @Test("good catalogues are valid, bad ones are not", .needs(.python(with: "jsonschema")))
  func validation() throws {
    let good = [
      Samples.everything, shopAPI, "", "models: {A: [int], B: {int}, C: {x: int}, D: {}}",
      "endpoints: {a: {call: GET /a, any_of: [x, y], one_of: [[x, y], {Ref r: [x, z]}], auth: oauth1}}",
      "endpoints: {a: {call: GET /a, one_of: {\"Ref? r\": {x: a, y: [b, {S s: [c, d]}]}}, params: {v: {value: 1}}}}",
      "endpoints: {a: {call: GET /a, stream: {framing: lines, length: delimited}}, b: {call: GET /b, stream: length}}",
      "endpoints: {a: {call: GET /a, stream: {backfill: minutes, id: data.id}}}",
      "endpoints: {a: {call: GET /a, limits: {user: [50/15m, 1000/1d], app: 1/s}}}",
      "endpoints: {a: {call: GET /a, stream: {framing: events, end: x, record: event}}, b: {call: GET /b, stream: array}}",
      "endpoints: {a: {call: POST /a, body: image/png, status: 201, accept: text/csv, errors: {404: A, default: B}, idempotency: X-Key}}",
      "endpoints: {a: {call: GET /a, auth: [[x, y], z], response_headers: {A: int, B: {type: string, name: b}}}}",
      "endpoints: {a: {call: GET /a, pages: {link: next, items: ., more: m}, params: {p: {type: Q, object: dots}}}}",
      "api: {name: A, hosts: {a: https://a.example}, schemes: {k: {$in: query, $name: key}}, failure: {ok: false, c: [1, x]}, "
        + "headers: {A: b}, query: {c: 1}, errors: {4xx: A}, idempotency: Idempotency-Key}",
      "mixins: {a: {like: [b, c], params: {x: int}, limits: {user: 1/s}}, d: {fields: {x: int}}}\npatterns: {a: /b/}",
      "params: {a: {type: int, summary: x}, b: date}\nfields: {c: \"[int]\"}\nmodels: {M: {c: , d: {type: int, summary: ~}}}\n"
        + "endpoints: {a: {call: GET /a, params: {a: , b: {default: x}}}}",
      "endpoints: {a: {call: GET /a, like: b, params: {x: {summary: y}}}, c: {call: GET /c, like: [b]}}",
      "endpoints: {a: {call: POST /a, poll: {ask: b, with: {id: id}, done: {s: [x, 1]}, failed: {s: y}, every: 5s, cancel: c}}}",
      "group: {docs: https://a.example, limits: {user: 1/s}}\nendpoints: {a: {call: GET /a, docs: ~, limits: ~}}",
      "models: {A: {$members: B, $except: [c]}, D: {$enum: [a, {b: c}]}, E: int - One., \"P<T, nouns>\": {x: \"T - The {nouns}.\"}}",
      "models: {A<T>: {x: T}, B: A<int>, \"C<T, U>\": {$like: \"A<T>\", y: U}, D: {$like: [a], x: {summary: y}}}",
    ]
    let bad = [
      "endpoint: {}", "api: {name: Shop}", "endpoints: {a: {summary: x}}", "endpoints: {a: {call: get /a}}",
      "endpoints: {a: {call: GET /a, body: xml}}", "endpoints: {a: {call: GET /a, params: {x: {in: query}}}}",
      "endpoints: {a: {call: GET /a, pages: {items: d}}}", "endpoints: {a: {call: GET /a, status: 404}}",
      "endpoints: {a: {call: GET /a, one_of: {R: [a, b]}}}", "endpoints: {a: {call: GET /a, stream: {length: 1}}}",
      "endpoints: {a: {call: GET /a, stream: {backfill: minutes, ids: data.id}}}",
      "endpoints: {a: {call: GET /a, pages: {link: prev, items: d}}}",
      "endpoints: {a: {call: GET /a, errors: {abc: A}}}", "endpoints: {a: {call: GET /a, auth: [[x]]}}",
      "api: {name: A, hosts: {a: https://a.example}, schemes: {k: {$in: query}}}",
      "models: {A: {$sumary: x}}", "models: {A: {x: {typ: int}}}", "mixins: {a: {call: GET /a}}", "models: {A<: int}",
      "patterns: {a: b}", "endpoints: {a: {call: GET /a, poll: {ask: b, url: c}}}",
      "endpoints: {a: {call: GET /a, like: []}}", "params: {a: }", "fields: [a]",
      "endpoints: {a: {call: GET /a, limits: {user: [5]}}}", "models: {A: {x: [int, int]}}",
    ]
    for text in good {
      #expect(try Validator.problems(of: try json(text), schema: Self.schemaPath) == "", "\(text.prefix(60))")
    }
    for text in bad {
      #expect(try Validator.problems(of: try json(text), schema: Self.schemaPath) != "", "\(text)")
    }
  }

  /// The YAML as an editor's language server hands it to the schema.
  private func json(_ text: String) throws -> Data {
    let reader = YAMLReader(try SourceText(file: "a.yaml", bytes: Array(text.utf8)))
    #expect(reader.diagnostics == [])
    let document: Any = reader.root.map { value(of: $0) } ?? NSNull()
    return try JSONSerialization.data(withJSONObject: document, options: .fragmentsAllowed)
  }

  private func value(of node: YAMLNode) -> Any {
    switch node.content {
    case .scalar(let scalar):
      if node.isNull { return NSNull() }
      guard scalar.style == .plain else { return scalar.text }
      if scalar.text == "true" || scalar.text == "false" { return scalar.text == "true" }
      return Int(scalar.text).map { $0 as Any } ?? scalar.text
    case .list(let nodes): return nodes.map { value(of: $0) }
    case .mapping(let mapping):
      var object: [String: Any] = [:]
      for entry in mapping.entries {
        guard case .scalar(let key) = entry.key.content else { continue }
        object[key.text] = value(of: entry.value)
      }
      return object
    }
  }
}

/// Validates with Python's `jsonschema`.
private enum Validator {
  static func problems(of document: Data, schema: String) throws -> String {
    let script = """
      import json, sys, pathlib, warnings
      warnings.simplefilter("ignore")
      import jsonschema
      schema = json.load(open(sys.argv[1]))
      # A schema beside it is found by its file name.
      resolver = jsonschema.RefResolver(pathlib.Path(sys.argv[1]).absolute().as_uri(), schema)
      validator = jsonschema.Draft7Validator(schema, resolver=resolver)
      jsonschema.Draft7Validator.check_schema(validator.schema)
      for error in validator.iter_errors(json.load(sys.stdin)): print(list(error.absolute_path), error.message[:200])
      """
    return String(decoding: try Python.run(script, arguments: [schema], input: document), as: UTF8.self)
  }
}
