// Models as far as values and calls know of them. How they are read, kept and written is in `Models`.

/// An object of an API, as the generator makes them: a struct round its members.
///
/// ```swift
/// public struct List: Model, Codable, Hashable, CustomReflectable, CustomDebugStringConvertible, Identifiable {
///   public var _storage: ModelStorage
///   public init(_storage: ModelStorage) { self._storage = _storage }
///   public static var _layout: ModelLayout { ModelLayout("id:string created_at:date? owner:#0?", User.self) }
///   @_alwaysEmitIntoClient public var id: ListID {
///     get { _storage[string: 0] } set { _storage[string: 0] = newValue } _modify { yield &_storage[string: 0] }
///   }
///   …
/// }
/// ```
///
/// The runtime reads, writes, compares, hashes and prints by the layout, so a model costs a binary little more than its name.
/// A copy costs one retain; a change of a copy copies its members first.
public protocol Model: JSONCodable, Sendable {
  /// The members, their wire names and types.
  static var _layout: ModelLayout { get }
  /// The members' values.
  var _storage: ModelStorage { get }
  /// The model of these values.
  init(_storage: ModelStorage)
  /// The list of models of these values, for a slot.
  static func _list(_ storages: [ModelStorage]) -> ModelBox
  /// Calls `body` with the values of each model in such a list.
  static func _forEach(in list: ModelBox, _ body: (ModelStorage) -> Void)
}

/// The members of a generated model: a text of `name:type` fields, and the types that it refers to as `#0`, `#1`, ….
///
/// Types are those of the catalogue (`spec/README.md`): `string`, `int`, `number`, `bool`, `date`, `date(…)`,
/// `bytes`, `json`, `int32`, `uint64`, `decimal`, `url`, `uuid`, `duration` and their forms, `#n`, `[T]`, `{T}`, followed by
/// `|null` and `?`; behind `string`, `int` and `bool` may be the value that the member always has, as in
/// `object:string=list`, with JSON's escapes (`\u003a`) for characters that no word has. `string#0` is a text of an open
/// enum whose values tell the variants of a union apart. Fields are separated by spaces,
/// or by newlines if the text begins with one. Where the Swift name is not the usual one, it stands before the name on
/// the wire, as in `keeper~owner:#0?`. A word without colon is a further name on the wire of the field before it, which is
/// read as that field and never written: `posts:[#0]? statuses`. The word `.` says that a document that lacks the field
/// is the field's value itself: `data:#0 .`. A last field `*:{T}` keeps members that the model does not know.
public struct ModelLayout {
  package let text: String
  package let types: [any JSONCodable.Type]
  /// Reads the model and looks into it.
  package let support: any ModelSupport

  package init(_ text: String, _ types: [any JSONCodable.Type], _ support: any ModelSupport) {
    self.text = text
    self.types = types
    self.support = support
  }
}

/// The two functions that the layer above provides, which reads models.
package protocol ModelSupport {
  /// Reads an array of models.
  func models<T: Model>(of type: T.Type, _ reader: inout JSONReader) throws(JSONError) -> [T]
  /// Whether the model has a member of this name on the wire, and the value has none.
  func lacks<T: Model>(_ member: String, _ value: T) -> Bool
}

extension Model {
  /// Whether the model has a member of this name on the wire, and the value has none.
  package func lacks(_ member: String) -> Bool { Self._layout.support.lacks(member, self) }
}
