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
  /// What the runtime reads and writes the fields by.
  var layout: LayoutPlan
  /// The one stored property, which no field's property is named like.
  var storageName: String
}

struct PropertyPlan {
  var name: String
  /// The Swift type, `Nullable` and `?` included.
  var type: String
  /// Whether initialisers have it as an argument, and whether they may leave it out.
  var isInitialised = true
  var isOptional: Bool
  var accessor: Accessor
  var documentation: String

  /// The runtime's subscript that the property goes through.
  enum Accessor: String {
    case string
    case int
    case number
    case bool
    case date
    case `enum`
    case model
    case value
    case nullable
    case extra
  }
}

/// The names and types of a model's fields, in the runtime's notation.
struct LayoutPlan {
  var text: String
  /// The Swift types that the text refers to by number.
  var types: [String]
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
    /// The tag's values that select it; empty where shapes tell variants apart.
    var tags: [String]
  }

  /// The member whose value tells the variants apart.
  var tag: String?
  var variants: [Variant]
}
