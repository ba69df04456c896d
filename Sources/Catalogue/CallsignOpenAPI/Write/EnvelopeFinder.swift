import CallsignCatalogue

/// Finds the envelopes of an API: objects that differ only in the type of one member, for which a template is shorter.
///
/// The same models always give the same templates.
struct EnvelopeFinder {
  /// An object with the type of one member left open.
  private struct Form: Hashable {
    var lines: [String]
    var open: Int
  }

  /// The maximum number of members of an envelope. Larger objects rarely are envelopes.
  private static let maximumLength = 12
  /// The minimum number of objects for an envelope.
  private static let minimumCount = 3
  /// The minimum number of bytes that it must save.
  private static let minimumGain = 160
  /// The maximum number of templates.
  private static let maximumCount = 20

  private let models: [Model]
  private var taken: Set<String>

  /// - Parameters:
  ///   - models: All models of a catalogue.
  ///   - templates: The names of existing templates.
  init(_ models: [Model], besides templates: [String]) {
    self.models = models
    taken = Set(models.map(\.name)).union(templates)
  }

  /// The templates that save the most, made only from models without any of the given names.
  mutating func templates(without used: Set<String>) -> [ModelTemplate] {
    var uses: [Form: [Int]] = [:]
    for (index, model) in models.enumerated() where !used.contains(model.name) {
      guard case .object(let fields, nil) = model.shape, fields.count <= Self.maximumLength, model.swiftName == nil,
        model.documentation == nil, model.deprecation == nil
      else { continue }
      let entries = ModelWriter(model).fieldEntries
      let lines = entries.map { $0.text(after: nil) }
      for open in fields.indices where Self.canBeOpen(fields[open].type) {
        var form = Form(lines: lines, open: open)
        var type = TypeReference(.named(""))
        (type.isOptional, type.isNullable) = (fields[open].type.isOptional, fields[open].type.isNullable)
        form.lines[open] = entries[open].with(type).text(after: nil)
        uses[form, default: []].append(index)
      }
    }
    uses = uses.filter { $0.value.count >= Self.minimumCount }
    var found: [ModelTemplate] = []
    var made: Set<Int> = []
    while found.count < Self.maximumCount {
      var best: (form: Form, users: [Int], gain: Int)?
      for (form, all) in uses {
        let users = all.filter { !made.contains($0) }
        let gain = Self.gain(form, users.count)
        guard users.count >= Self.minimumCount, gain >= Self.minimumGain, differ(users, at: form.open) else { continue }
        if best.map({ ($0.gain, users[0], form.open) < (gain, $0.users[0], $0.form.open) }) ?? true {
          best = (form, users, gain)
        }
      }
      guard let best, let template = template(best.form, best.users) else { break }
      found.append(template)
      made.formUnion(best.users)
    }
    return found
  }

  /// Whether a template's use can contain the type. A text with a comma would become two arguments.
  private static func canBeOpen(_ type: TypeReference) -> Bool {
    if type.isIndirect || type.constraints != Constraints() { return false }
    switch type.kind {
    case .list(let element), .map(let element): return !element.isOptional && !element.isNullable && canBeOpen(element)
    case .named, .scalar(.string), .scalar(.int), .scalar(.bool), .scalar(.json): return true
    case .scalar: return false
    }
  }

  /// Whether the objects have different types there. Objects with the same type share a mixin.
  private func differ(_ users: [Int], at open: Int) -> Bool {
    Set(users.map { type(of: $0, at: open).kind }).count * 2 > users.count
  }

  private func type(of index: Int, at open: Int) -> TypeReference {
    if case .object(let fields, _) = models[index].shape { fields[open].type } else { TypeReference(.scalar(.json)) }
  }

  /// The number of bytes saved by `Name<Type>` instead of the members.
  private static func gain(_ form: Form, _ count: Int) -> Int {
    let bytes = form.lines.reduce(0) { $0 + $1.utf8.count + 2 }
    return (count - 1) * bytes - count * 20 - 40
  }

  private mutating func template(_ form: Form, _ users: [Int]) -> ModelTemplate? {
    guard case .object(var fields, _) = models[users[0]].shape else { return nil }
    let parameter = ["T", "Element", "Content"].first { !taken.contains($0) }
    guard let parameter else { return nil }
    var type = TypeReference(.named(parameter))
    (type.isOptional, type.isNullable) = (fields[form.open].type.isOptional, fields[form.open].type.isNullable)
    fields[form.open].type = type
    let name = name(of: users, member: fields[form.open].name).counted(while: taken.contains)
    taken.insert(name)
    return ModelTemplate(
      name: name, parameters: [parameter], model: Model(name: name, shape: .object(fields: fields, extra: nil)))
  }

  /// `Response` from `UserResponse` and `PostsResponse`; `DataEnvelope` if the names have nothing in common.
  private func name(of users: [Int], member: String) -> String {
    let names = users.map { Words(models[$0].name).list }
    var common = names[0]
    for words in names.dropFirst() {
      while !common.isEmpty, !words.reversed().starts(with: common.reversed()) { common.removeFirst() }
    }
    let name = common.map(Words.capitalized).joined()
    let isName = name.first?.isLetter == true && name.utf8.count < 60 && name.allSatisfy { $0.isASCII }
    if isName { return name }
    let words = Words(member).pascal.filter { $0.isASCII }
    return (words.first?.isLetter == true ? words : "") + "Envelope"
  }
}
