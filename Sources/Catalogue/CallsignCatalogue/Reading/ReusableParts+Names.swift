import CallsignYAML

// Parameters and fields that are described once, at the top of a file: `params` and `fields`.
extension ReusableParts {
  /// The value of `params`, completed with the descriptions of the parameter names.
  package func filledIn(params: YAMLEntry) -> YAMLEntry {
    guard !parameters.isEmpty, let entries = params.value.keys else { return params }
    return YAMLEntry(key: params.key, value: params.value.mapping(entries.map { Self.filledIn($0, parameters) }))
  }

  /// A field, completed with the description of its name.
  package func filledIn(field: FieldEntry) -> FieldEntry {
    fields.isEmpty ? field : FieldEntry(entry: Self.filledIn(field.entry, fields), names: field.names)
  }

  /// An entry, completed with the description of its name. An entry without a value takes the whole description; an entry without a
  /// type takes the keys that it lacks; any other takes only the summary, unless it has one or `summary: ~`.
  private static func filledIn(_ entry: YAMLEntry, _ names: [String: YAMLEntry]) -> YAMLEntry {
    guard let known = entry.key.text.flatMap({ names[$0] })?.value else { return entry }
    if entry.value.isNull { return YAMLEntry(key: entry.key, value: known) }
    let key = ParameterKey.summary.rawValue
    var value = entry.value
    if !value.saysType {
      value = value.overlaid(on: known)
    } else if let summary = known.longForm?[key], value.longForm?[key] == nil {
      let own = value.longForm ?? [YAMLEntry(key: value.scalar(ParameterKey.type.rawValue), value: value)]
      value = value.mapping(own + [YAMLEntry(key: summary.scalar(key), value: summary)])
    }
    return YAMLEntry(key: entry.key, value: value)
  }
}
