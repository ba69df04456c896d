import CallsignCatalogue

/// The parts that the catalogue writer writes only once: the facts about the names of parameters and fields, the mixins of lines
/// that several endpoints or models end with, and the credentials of a group.
///
/// The same catalogue always gives the same parts. Each part exists only if it makes the files shorter.
struct SharedParts {
  /// Lines that are written once.
  struct Mixin {
    enum Content {
      case parameters
      case fields
      case pages

      var key: String {
        switch self {
        case .parameters: "params"
        case .fields: "fields"
        case .pages: "pages"
        }
      }
    }

    var name: String
    var content: Content
    var lines: [String]
    /// The file that contains it: that of the only group that uses it, or otherwise the API's.
    var group: String
  }

  /// The part of an endpoint or a model that is still written in its own place.
  struct Like {
    /// The mixins, in the order of their contents.
    var names: [String] = []
    /// The number of parameters or fields before those of the mixins.
    var ownCount: Int
    var hasPages = false
  }

  /// The model whose field names, with exceptions, are the values of an enum.
  struct Members {
    var model: String
    var exceptions: [String]
  }

  /// Whether to write shared parts only once.
  let sharesParts: Bool
  /// The names of regular expressions.
  let patterns: PatternNames
  private(set) var parameters = NamedEntries()
  private(set) var fields = NamedEntries()
  private(set) var mixins: [Mixin] = []
  /// The credentials, by group name.
  private(set) var auth: [String: [AuthRequirement]] = [:]
  private(set) var documentation: [String: String] = [:]
  private(set) var limits: [String: [RateLimit]] = [:]
  /// The templates that models use, and the uses by model name.
  private(set) var templates: [ModelTemplate] = []
  private(set) var uses: [String: TemplateFinder.Use] = [:]
  /// The models, by the enum's name.
  private(set) var members: [String: Members] = [:]
  private var endpoints: [String: Like] = [:]
  private var models: [String: Like] = [:]
  private var names: Set<String> = []

  /// Creates parts for a catalogue that shares nothing.
  init() {
    sharesParts = false
    patterns = PatternNames()
  }

  /// Finds the parts that are worth sharing.
  ///
  /// - Parameters:
  ///   - home: The name of the group for parts that several groups share.
  ///   - templates: The templates that models can use.
  ///   - patterns: The names of regular expressions in the catalogue and the templates.
  init(_ catalogue: Catalogue, home: String, templates: [ModelTemplate], _ patterns: PatternNames) {
    sharesParts = true
    self.patterns = patterns
    let models = catalogue.groups.flatMap(\.models)
    uses = TemplateFinder(templates, models).uses(in: models)
    var envelopes = EnvelopeFinder(models, besides: templates.map(\.name))
    let found = envelopes.templates(without: Set(uses.keys))
    uses.merge(TemplateFinder(found, models).uses(in: models)) { given, _ in given }
    let templates = templates + found
    self.templates = templates.filter { template in uses.values.contains { $0.template == template } }
    let ownFields = models.filter { [uses] in uses[$0.name] == nil }.flatMap { ModelWriter($0).fieldEntries }
    let sharedFields = self.templates.flatMap { template in
      ModelWriter(template.model).fieldEntries.filter { !template.isOpen($0.type) }
    }
    parameters = NamedEntries(catalogue.groups.flatMap(\.endpoints).flatMap { EndpointWriter($0).parameterEntries })
    fields = NamedEntries(ownFields + sharedFields)
    var parameters: [Candidate] = []
    var fields: [Candidate] = []
    var pages: [Candidate] = []
    for group in catalogue.groups {
      auth[group.name] = Self.auth(of: group, catalogue.api.defaultAuth)
      documentation[group.name] = Self.most(group.endpoints.map(\.documentation))
      limits[group.name] = Self.most(group.endpoints.map { $0.limits.isEmpty ? nil : $0.limits })
      for endpoint in group.endpoints {
        let writer = EndpointWriter(endpoint)
        parameters.append(
          Candidate(name: endpoint.name, group: group.name, writer.parameterEntries, self.parameters))
        if let line = writer.pagesLine {
          pages.append(Candidate(name: endpoint.name, group: group.name, lines: [line]))
        }
      }
      for model in group.models {
        guard case .object = model.shape, uses[model.name] == nil else { continue }
        fields.append(Candidate(name: model.name, group: group.name, ModelWriter(model).fieldEntries, self.fields))
      }
    }
    findMembers(models)
    share(parameters, .parameters, home)
    share(pages, .pages, home)
    share(fields, .fields, home)
  }

  func like(endpoint: Endpoint) -> Like { endpoints[endpoint.name] ?? Like(ownCount: endpoint.parameters.count) }

  func like(model: Model, fieldCount: Int) -> Like { models[model.name] ?? Like(ownCount: fieldCount) }

  /// The credentials that most endpoints of a group accept, if all of them accept some.
  private static func auth(of group: Group, _ common: [AuthRequirement]?) -> [AuthRequirement]? {
    let all = group.endpoints.map(\.auth)
    guard !all.contains(where: \.isEmpty) else { return nil }
    var counts: [[AuthRequirement]: Int] = [:]
    for auth in all { counts[auth, default: 0] += 1 }
    guard let most = counts.values.max(), most > 1, let auth = all.first(where: { counts[$0] == most }) else {
      return nil
    }
    return auth == common ? nil : auth
  }

  /// Finds enums such as `UserField`, whose values are the names of the fields of `User`, in the same order.
  private mutating func findMembers(_ models: [Model]) {
    var fields: [String: [String]] = [:]
    for model in models {
      if case .object(let all, _) = model.shape { fields[model.name] = all.map(\.name) }
    }
    for model in models {
      guard case .enumeration(let cases) = model.shape, cases.count > 2, !model.isInteger,
        cases.allSatisfy({ $0.swiftName == nil && $0.summary == nil }),
        let owner = model.name.indices.dropFirst().reversed().lazy.map({ String(model.name[..<$0]) })
          .first(where: { fields[$0] != nil }), let names = fields[owner]
      else { continue }
      let values = cases.map(\.value)
      let known = Set(values)
      let exceptions = names.filter { !known.contains($0) }
      guard exceptions.count < values.count, names.filter({ known.contains($0) }) == values else { continue }
      members[model.name] = Members(model: owner, exceptions: exceptions)
    }
  }

  /// The fact that several endpoints of a group share, if that saves lines. Each endpoint without it must then say so.
  private static func most<Fact: Hashable>(_ facts: [Fact?]) -> Fact? {
    let given = facts.compactMap(\.self)
    let counts = given.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let absent = facts.count - given.count
    guard let most = counts.values.max(), most > 2 * absent + 2, let fact = given.first(where: { counts[$0] == most })
    else { return nil }
    return fact
  }

  // MARK: Finding

  /// The lines of an endpoint or a model that are not shared yet: those up to a bound. Mixins follow it.
  private struct Candidate {
    var name: String
    var group: String
    var lines: [String]
    var numbers: [Int] = []
    var end = 0
    var mixins: [String] = []

    init(name: String, group: String, lines: [String]) {
      self.name = name
      self.group = group
      self.lines = lines
    }

    init(name: String, group: String, _ entries: [NamedEntry], _ known: NamedEntries) {
      self.init(name: name, group: group, lines: entries.map { $0.text(after: known[$0.name]) })
    }
  }

  /// The maximum number of mixins of one kind.
  private static let maximumCount = 60
  /// The maximum number of lines in a mixin.
  private static let maximumLength = 16

  private mutating func share(_ candidates: [Candidate], _ content: Mixin.Content, _ home: String) {
    var candidates = candidates
    var numbers: [String: Int] = [:]
    /// The number of occurrences of each line, by its number.
    var counts: [Int] = []
    for index in candidates.indices {
      candidates[index].numbers = candidates[index].lines.map { line in
        let number = numbers[line] ?? numbers.count
        if number == counts.count {
          numbers[line] = number
          counts.append(0)
        }
        counts[number] += 1
        return number
      }
      candidates[index].end = candidates[index].lines.count
    }
    // In a large catalogue, only widely shared lines are worth a name.
    let total = candidates.reduce(0) { $0 + $1.lines.reduce(0) { $0 + $1.utf8.count } }
    let minimumGain = max(160, total / 1_000)
    for _ in 0..<Self.maximumCount {
      guard let best = best(of: candidates, counts, atLeast: minimumGain) else { break }
      let users = candidates.indices.filter { candidates[$0].numbers[..<candidates[$0].end].hasSuffix(best) }
      guard let first = users.first else { break }
      let end = candidates[first].end
      let lines = Array(candidates[first].lines[(end - best.count)..<end])
      let name = name(for: lines, content)
      let groups = Set(users.map { candidates[$0].group })
      mixins.append(
        Mixin(
          name: name, content: content, lines: lines,
          group: groups.count == 1 ? candidates[first].group : home))
      for user in users {
        candidates[user].end -= best.count
        candidates[user].mixins.insert(name, at: 0)
      }
    }
    for candidate in candidates where !candidate.mixins.isEmpty {
      switch content {
      case .parameters: endpoints[candidate.name] = Like(names: candidate.mixins, ownCount: candidate.end)
      case .fields: models[candidate.name] = Like(names: candidate.mixins, ownCount: candidate.end)
      case .pages:
        var like = endpoints[candidate.name] ?? Like(ownCount: .max)
        like.names += candidate.mixins
        like.hasPages = true
        endpoints[candidate.name] = like
      }
    }
  }

  /// The common last lines of candidates, as a tree from the last line upwards.
  private struct Ending {
    var count = 0
    var bytes: Int
    var lines: [Int]
  }

  /// The final lines that save the most bytes; of several equal ones, the first.
  private func best(of candidates: [Candidate], _ counts: [Int], atLeast minimumGain: Int) -> [Int]? {
    var endings = [Ending(bytes: 0, lines: [])]
    /// The children, by the ending's number and that of the line before it.
    var children: [Int: Int] = [:]
    for candidate in candidates {
      var node = 0
      for index in (0..<candidate.end).reversed().prefix(Self.maximumLength) {
        let line = candidate.numbers[index]
        // A rare line cannot be part of a common ending.
        guard counts[line] > 2 else { break }
        let key = node << 32 | line
        let child = children[key] ?? endings.count
        if child == endings.count {
          children[key] = child
          let bytes = endings[node].bytes + candidate.lines[index].utf8.count + 7
          endings.append(Ending(bytes: bytes, lines: [line] + endings[node].lines))
        }
        endings[child].count += 1
        node = child
      }
    }
    var best: (lines: [Int], gain: Int)?
    for ending in endings where ending.count > 2 {
      // A name in `like` takes about 14 bytes, and the mixin adds two lines.
      let gain = (ending.count - 1) * ending.bytes - ending.count * 14 - 40
      if gain >= minimumGain, gain > best?.gain ?? 0 { best = (ending.lines, gain) }
    }
    return best?.lines
  }

  /// A name from the first line, such as `post.fields`; if it is taken, the second line's name is added.
  private mutating func name(for lines: [String], _ content: Mixin.Content) -> String {
    let words = lines.map { line in String(line.prefix { $0.isLetter || $0.isNumber || "._-".contains($0) }) }
    var name: String
    switch content {
    case .parameters, .fields: name = words[0]
    case .pages:
      // `{token: next_token, next: …}`
      let value = lines[0].drop { $0 != " " }.dropFirst()
      name = "paged." + value.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    if name.isEmpty { name = "shared" }
    if names.contains(name), words.count > 1, !words[1].isEmpty { name += "-" + words[1] }
    let base = name
    var number = 2
    while !names.insert(name).inserted {
      name = "\(base).\(number)"
      number += 1
    }
    return name
  }
}

extension ArraySlice<Int> {
  fileprivate func hasSuffix(_ other: [Int]) -> Bool {
    count >= other.count && suffix(other.count).elementsEqual(other)
  }
}
