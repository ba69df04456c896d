// Sound: all addresses are the reader's, between the start of an object and `cursor`.

extension JSONReader {
  /// Reads an object by the schema of its model.
  mutating func model(_ schema: ModelSchema) throws(JSONError) -> ModelStorage {
    if let problem = schema.problem { throw failure(.unusableModel(problem)) }
    let begin = cursor
    var storage = schema.empty
    var problems: [Int: Problem] = [:]
    var extra: UnknownMembers?
    // The values that came under further names.
    var aliased: [Int: ModelSlot] = [:]
    let isShaped = tolerance?.shapedUnion == offset
    if try beginObject() {
      depth += Self.modelDepth - 1
      let order = memberOrders.start(of: ObjectIdentifier(schema), rowCount: schema.count)
      // 0 means the object's beginning, n the member n - 1. At first the layout's order is tried.
      var previous = 0
      repeat {
        var row = order.map { memberOrders[$0 + previous] } ?? previous
        if row >= schema.count || !take(schema.members[row].writtenName.rest) {
          guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
          let name = try rawString()
          try takeColon()
          guard let found = name.withBytes({ schema.row(of: $0) }) else {
            if let codec = schema.extra {
              let members = extra ?? codec.unknownMembers()
              extra = members
              try members.read(Self.decode(name), &self)
            } else {
              try skip()
            }
            continue
          }
          row = found
          if let order, row < schema.count { memberOrders[order + previous] = row }
        }
        let index = schema.index(ofRow: row)
        previous = index + 1
        // The member's own name comes first, at any position.
        let isAlias = row >= schema.count
        if isAlias, !storage.isAbsent(index) {
          try skip()
          continue
        }
        do throws(JSONError) {
          storage[index] =
            tolerance == nil ? try slot(index, schema) : try tolerantSlot(index, row, schema, &problems)
        } catch {
          throw error.inMember(schema.name(ofRow: row))
        }
        if isAlias { aliased[index] = storage[index] }
      } while try nextMember()
      depth -= Self.modelDepth - 1
    }
    // A null or unreadable value under the member's own name does not replace one under a further name. Without the question before
    // it, the loop took 7 % of reading a page of posts.
    if !aliased.isEmpty {
      for (index, slot) in aliased where storage.isAbsent(index) { storage[index] = slot }
    }
    var hasMember: Bool?
    for index in schema.required where storage.isAbsent(index) {
      if problems[index] == nil, let slot = bareMember(index, schema, from: begin) {
        storage[index] = slot
        hasMember = true
      } else {
        let problem = problems[index] ?? Problem(failure(.missing, at: begin), of: schema.members[index].name)
        let isRecognized = hasMember ?? (storage.hasMember || problems.values.contains { $0.isNullValue })
        hasMember = isRecognized
        storage[index] = try replacement(
          index, schema, mayBeEmpty: isRecognized && !isShaped, isShaped: isShaped, insteadOf: problem)
      }
    }
    if let extra { storage[schema.count] = .value(extra.box) }
    return storage
  }

  /// Reads an array of objects by the schema of their model.
  mutating func models(_ schema: ModelSchema) throws(JSONError) -> [ModelStorage] {
    let isRepeated = memberOrders.isRepeated
    defer { memberOrders.isRepeated = isRepeated }
    return try list { (reader) throws(JSONError) in
      let storage = try reader.model(schema)
      reader.memberOrders.isRepeated = true
      return storage
    }
  }

  /// Reads a member's value.
  private mutating func slot(_ index: Int, _ schema: ModelSchema) throws(JSONError) -> ModelSlot {
    if cursor < end, cursor.pointee == UInt8(ascii: "n") { return try nullSlot(schema.members[index]) }
    switch schema.members[index].type {
    case .string: return .string(try string())
    case .int: return .int(try int())
    case .number: return .number(try number())
    case .bool: return .bool(try bool())
    case .date(let codec): return .date(try date(codec.format))
    case .model(let link): return .model(try model(link.schema))
    case .models(let link): return .value(link.type._list(try models(link.schema)))
    case .value(let codec): return .value(try codec.read(&self))
    }
  }

  private mutating func nullSlot(_ member: LayoutMember) throws(JSONError) -> ModelSlot {
    let begin = cursor
    if member.isRequired, !member.isNullable, case .value(let codec) = member.type, codec.acceptsNull {
      return .value(try codec.read(&self))
    }
    try literal("null")
    guard member.isNullable || !member.isRequired else {
      throw failure(.mismatch(expected: "a value", found: JSONKind.null.phrase), at: begin)
    }
    return member.isNullable ? .null : .absent
  }

  /// Reads the whole document as a member that it lacks, if the model allows this form.
  ///
  /// Only a whole document, so that no input is read more than twice, however deep it nests.
  ///
  /// - Parameter begin: The first byte of the object.
  /// - Returns: `nil` if it cannot be read this way; then nothing has changed.
  private mutating func bareMember(_ index: Int, _ schema: ModelSchema, from begin: UnsafePointer<UInt8>) -> ModelSlot?
  {
    guard depth == 0, schema.bareMember == index else { return nil }
    let (last, issueCount) = (cursor, tolerance?.count)
    cursor = begin
    depth = Self.modelDepth
    defer { (cursor, depth) = (last, 0) }
    do throws(JSONError) { return try slot(index, schema) } catch {
      if let issueCount { tolerance?.drop(to: issueCount) }
      return nil
    }
  }
}

// Steps after the first reading has failed.
extension JSONReader {
  /// Reads a member's value; one that cannot be read is left out and recorded, or kept among the problems if the member is
  /// required.
  private mutating func tolerantSlot(
    _ index: Int, _ row: Int, _ schema: ModelSchema, _ problems: inout [Int: Problem]
  ) throws(JSONError) -> ModelSlot {
    guard let tolerance else { return try slot(index, schema) }
    let place = place(tolerance)
    tolerance.enter(member: schema.name(ofRow: row))
    defer { tolerance.leave() }
    let problem: JSONError
    do throws(JSONError) { return try slot(index, schema) } catch { problem = error }
    try goBack(to: place, after: problem, tolerance)
    try skip()
    if schema.members[index].isRequired {
      problems[index] = Problem(problem, of: schema.name(ofRow: row), in: schema.members[index])
    } else {
      record(problem, .absent, tolerance)
    }
    return .absent
  }

  /// The replacement for a required member that is missing or cannot be read: its constant value, or nothing, which
  /// reads as its type's empty value.
  ///
  /// - Parameters:
  ///   - mayBeEmpty: Whether the model may lack a member.
  ///   - isShaped: Whether the model is a variant that its constants distinguish from others.
  /// - Throws: The problem, if the model may not lack the member, or if the reading is not tolerant.
  private func replacement(
    _ index: Int, _ schema: ModelSchema, mayBeEmpty: Bool, isShaped: Bool, insteadOf problem: Problem
  ) throws(JSONError) -> ModelSlot {
    let member = schema.members[index]
    let constant: ModelSlot? =
      switch (member.constant, member.type) {
      case (let text?, .string): .string(text)
      case (let text?, .int): Int(text).map { .int($0) }
      case (let text?, .bool): .bool(text == "true")
      default: nil
      }
    let outcome: DecodingIssue.Outcome
    switch constant {
    case _? where !isShaped: outcome = .constant
    case nil where mayBeEmpty && schema.canBeEmpty(index) && !(depth == 0 && schema.isContent(index)): outcome = .empty
    default: throw problem.error.inMember(problem.name)
    }
    guard let tolerance else { throw problem.error.inMember(problem.name) }
    tolerance.enter(member: problem.name)
    record(problem.error, outcome, tolerance)
    tolerance.leave()
    return constant ?? .absent
  }
}

/// A required member that could not be read.
private struct Problem {
  let error: JSONError
  /// The name that it had.
  let name: String
  /// Whether it is null in place of a list, a map or a simple value. An object that has it is one of the model.
  let isNullValue: Bool

  init(_ error: JSONError, of name: String, in member: LayoutMember? = nil) {
    self.error = error
    self.name = name
    if case .mismatch(_, JSONKind.null.phrase) = error.kind, let member {
      if case .model = member.type { isNullValue = false } else { isNullValue = error.path.isEmpty }
    } else {
      isNullValue = false
    }
  }
}
