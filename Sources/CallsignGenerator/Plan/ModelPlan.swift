import CallsignCatalogue

/// A type that the module declares.
struct ModelPlan {
  enum Shape {
    case object(ObjectPlan)
    case enumeration([CasePlan])
    case union(UnionPlan)
    /// Another name for a Swift type.
    case alias(String)
  }

  var name: String
  var documentation: [String]
  var shape: Shape
}

/// A struct.
struct ObjectPlan {
  /// In the catalogue's order.
  var properties: [PropertyPlan]
  /// The Swift type of the members that the catalogue does not list, where they are kept.
  var extra: String?
}

struct PropertyPlan {
  var name: String
  /// The member's name in JSON.
  var wire: String
  /// The Swift type, `Nullable` and `?` included.
  var type: String
  /// The type of a value that is neither null nor missing.
  var base: String
  var isOptional: Bool
  var isNullable: Bool
  var isIndirect: Bool
  /// Of a date, or of the dates in a list or a map, unless it is RFC 3339.
  var dateFormat: DateFormat?
  var documentation: String
}

/// A value of an open enum.
struct CasePlan {
  var name: String
  /// The string in JSON.
  var wire: String
  var documentation: String
}

/// An enum with a payload for each variant.
struct UnionPlan {
  struct Variant {
    var name: String
    var type: String
    /// The tag's values that select it.
    var tags: [String]
    var kind: Kind
  }

  /// What a variant's JSON looks like, to tell variants apart by.
  enum Kind {
    /// An object that has these members at least, and may have those.
    case object(required: [String], known: [String])
    case string
    /// One of these strings, or another.
    case enumeration([String])
    case number
    case bool
    case array
    /// An object of which nothing is known.
    case map
    /// Anything.
    case any
  }

  var tag: String?
  var variants: [Variant]
}
