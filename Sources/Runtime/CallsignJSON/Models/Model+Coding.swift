extension Model {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    self.init(_storage: try reader.model(ModelSchema.of(Self.self)))
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.model(_storage, ModelSchema.of(Self.self)) }

  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws { try self.init(through: decoder) }

  /// Writes the value's JSON through any of Swift's encoders.
  public func encode(to encoder: any Encoder) throws { try encode(through: encoder) }

  /// Whether all members are equal, kept unknown ones too. A list that is missing differs from an empty one.
  public static func == (left: Self, right: Self) -> Bool { left._storage == right._storage }

  /// Hashes what `==` compares: every member, dates to the last bit.
  public func hash(into hasher: inout Hasher) { hasher.combine(_storage) }

  /// The members that are set, with their Swift names: `Post(id: "20", text: "…")`. Values of enums are texts as on the
  /// wire.
  public var debugDescription: String { ModelText.text(self) }

  /// The members that are set, with their Swift names, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ModelText.children(of: self), displayStyle: .struct) }
}

/// Without this the compiler would derive a `hashValue` for each model.
extension Model where Self: Hashable {
  /// A hash of what `==` compares.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}

extension ModelStorage {
  /// The storage of a value whose members are all left out, for initializers to fill.
  public init(for type: any Model.Type) { self = ModelSchema.of(type).empty }
}

/// Responds to the layer below, which knows of models only that they are such.
struct ModelRuntime: ModelSupport {
  func models<T: Model>(of _: T.Type, _ reader: inout JSONReader) throws(JSONError) -> [T] {
    try reader.models(ModelSchema.of(T.self)).map { T(_storage: $0) }
  }

  func lacks<T: Model>(_ member: String, _ value: T) -> Bool {
    guard let index = ModelSchema.of(T.self).index(of: member) else { return false }
    return value._storage.isAbsent(index)
  }
}
