// Sound: all of the reading is done in the closure that gets the bytes.

/// The single document of a YAML or JSON text, as a tree with locations.
package struct YAMLDocument: Sendable {
  /// Which parts of YAML a reader accepts.
  package struct Rules: Sendable {
    /// Which aliases the text can contain.
    package enum Aliases: Sendable {
      /// None.
      case refused
      /// Aliases of scalars only; a list or mapping cannot have an anchor.
      case ofScalars
      /// All aliases. They can multiply the document to a few times its size.
      case allowed
    }

    /// The maximum number of lists and mappings around a value. Code that follows the tree recursively relies on it.
    package var maximumDepth: Int
    package var aliases: Aliases

    package init(maximumDepth: Int, aliases: Aliases) {
      self.maximumDepth = maximumDepth
      self.aliases = aliases
    }
  }

  /// A key that occurs twice in its mapping. The tree contains only the first entry.
  package struct DuplicateKey: Sendable {
    package var name: String
    /// The location of the first use.
    package var first: (line: Int, column: Int)
    /// The location of the later use.
    package var second: (line: Int, column: Int)
  }

  /// `nil` if the text has no document.
  package let root: YAMLNode?
  /// The duplicate keys. Keys are compared as text, whether quoted or not.
  package let duplicateKeys: [DuplicateKey]

  /// Reads a UTF-8 text, with or without a byte order mark.
  ///
  /// - Throws: ``YAMLError`` with the location of the first problem. Duplicate keys are not errors.
  package init(_ bytes: [UInt8], rules: Rules) throws(YAMLError) {
    // The events refer to the bytes in place, so all reading happens in this closure.
    let builder = try bytes.withUnsafeBufferPointer { (buffer) throws(YAMLError) -> YAMLTreeBuilder in
      let mark = buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let text = UnsafeBufferPointer(rebasing: buffer.dropFirst(mark))
      var builder = YAMLTreeBuilder(rules: rules, byteCount: text.count)
      let events = try YAMLEvents(text)
      reading: while true {
        let event = try events.next()
        if case .streamEnd = event.kind { break reading }
        try builder.take(event)
      }
      return builder
    }
    root = builder.root
    duplicateKeys = builder.duplicateKeys
  }
}

/// Builds a tree from events, without recursion.
private struct YAMLTreeBuilder {
  private(set) var root: YAMLNode?
  private(set) var duplicateKeys: [YAMLDocument.DuplicateKey] = []

  private let rules: YAMLDocument.Rules
  /// The maximum number of nodes. Without aliases, a node takes at least one byte.
  private let maximumCount: Int
  private var count = 0
  private var open: [OpenCollection] = []
  /// The children of the open collections so far, with those of the innermost last.
  private var children: [YAMLNode] = []
  private var anchors: [String: Subtree] = [:]
  private var documentCount = 0

  /// A list or mapping that has not ended yet. The children of a mapping are its keys and values in turn.
  private struct OpenCollection {
    var start: YAMLEvent
    /// The number of children of the collections around it.
    var childrenBefore: Int
    /// The number of levels below it.
    var height = 0
    /// The number of nodes before it.
    var countBefore: Int
  }

  /// The tree that an anchor stands for.
  private struct Subtree {
    var node: YAMLNode
    var height: Int
    var count: Int
  }

  init(rules: YAMLDocument.Rules, byteCount: Int) {
    self.rules = rules
    maximumCount = 100_000 + 4 * byteCount
  }

  mutating func take(_ event: YAMLEvent) throws(YAMLError) {
    switch event.kind {
    case .streamStart, .streamEnd, .documentEnd: break
    case .documentStart:
      documentCount += 1
      if documentCount > 1 { throw error(.secondDocument, at: event) }
    case .scalar(let scalar, let anchor):
      try checkDepth(0, at: event)
      count += 1
      let node = YAMLNode(content: .scalar(scalar), line: event.line, column: event.column)
      if let anchor { anchors[anchor] = Subtree(node: node, height: 0, count: 1) }
      add(node, height: 0)
    case .alias(let name):
      guard let subtree = anchors[name] else { throw error(.undefinedAlias(name), at: event) }
      if rules.aliases == .refused { throw error(.alias(name), at: event) }
      try checkDepth(subtree.height, at: event)
      count += subtree.count
      guard count <= maximumCount else { throw error(.tooManyNodes, at: event) }
      add(subtree.node, height: subtree.height)
    case .listStart(let anchor), .mappingStart(_, let anchor):
      try checkDepth(0, at: event)
      if anchor != nil, rules.aliases == .ofScalars { throw error(.anchoredCollection, at: event) }
      open.append(OpenCollection(start: event, childrenBefore: children.count, countBefore: count))
      count += 1
    case .collectionEnd: close()
    }
  }

  private func checkDepth(_ height: Int, at event: YAMLEvent) throws(YAMLError) {
    guard open.count + height <= rules.maximumDepth else { throw error(.tooDeep, at: event) }
  }

  private func error(_ problem: YAMLError.Problem, at event: YAMLEvent) -> YAMLError {
    YAMLError(problem: problem, line: event.line, column: event.column)
  }

  private mutating func add(_ node: YAMLNode, height: Int) {
    guard let last = open.last else {
      root = node
      return
    }
    children.append(node)
    if last.height <= height { open[open.count - 1].height = height + 1 }
  }

  private mutating func close() {
    guard let collection = open.popLast() else { return }
    let own = Array(children[collection.childrenBefore...])
    children.removeLast(own.count)
    let start = collection.start
    var node = YAMLNode(content: .list(own), line: start.line, column: start.column)
    var anchor: String?
    switch start.kind {
    case .mappingStart(let isFlow, let name):
      anchor = name
      // `[a: b]` contains a mapping without braces, which begins at its key.
      let isBare = own.first.map { $0.line == start.line && $0.column == start.column } ?? false
      node.content = .mapping(YAMLMapping(entries: entries(own), isFlow: isFlow && !isBare))
    case .listStart(let name): anchor = name
    default: break
    }
    if let anchor {
      anchors[anchor] = Subtree(node: node, height: collection.height, count: count - collection.countBefore)
    }
    add(node, height: collection.height)
  }

  private mutating func entries(_ children: [YAMLNode]) -> [YAMLEntry] {
    var entries: [YAMLEntry] = []
    entries.reserveCapacity(children.count / 2)
    var firsts: [String: (line: Int, column: Int)] = [:]
    firsts.reserveCapacity(children.count / 2)
    var index = 1
    while index < children.count {
      let key = children[index - 1]
      let value = children[index]
      index += 2
      if case .scalar(let scalar) = key.content,
        let first = firsts.updateValue((key.line, key.column), forKey: scalar.text)
      {
        duplicateKeys.append(
          YAMLDocument.DuplicateKey(name: scalar.text, first: first, second: (key.line, key.column)))
        firsts[scalar.text] = first
        continue
      }
      entries.append(YAMLEntry(key: key, value: value))
    }
    return entries
  }
}
