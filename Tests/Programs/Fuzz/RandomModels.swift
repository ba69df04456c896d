#if DEBUG || CALLSIGN_FUZZ
  import Foundation
  import TestSupport

  @testable import CallsignJSON

  /// Models whose layouts are drawn from a number, for the model reader: the first byte of an input chooses one of 256.
  enum RandomModels {
    /// A model that was read is written and read again as it was, and is equal, hashes alike and prints.
    static func test(_ input: UnsafeBufferPointer<UInt8>) {
      guard let first = input.first else { return }
      let document = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: input.dropFirst()))
      types[Int(first)].roundTrip(document)
    }

    private static let types: [any FuzzModel.Type] = (0..<256).map(type)

    fileprivate static func type(_ number: Int) -> any FuzzModel.Type {
      // A type for each number: its binary digits, one generic argument inside another.
      var digits: any BinaryDigits.Type = End.self
      func add<D: BinaryDigits>(_: D.Type, _ bit: Bool) -> any BinaryDigits.Type { bit ? One<D>.self : Zero<D>.self }
      for place in (0..<8).reversed() { digits = add(digits, number >> place & 1 == 1) }
      func model<D: BinaryDigits>(_: D.Type) -> any FuzzModel.Type { RandomModel<D>.self }
      return model(digits)
    }
  }

  protocol FuzzModel: Model, Hashable, CustomDebugStringConvertible {}

  extension FuzzModel {
    static func roundTrip(_ document: UnsafeRawBufferPointer) {
      guard let value = try? Self(jsonBytes: document) else { return }
      _ = value.debugDescription
      guard let text = try? value.jsonData() else {
        return FuzzTarget.promise(false, "what was read cannot be written")
      }
      guard let again = try? Self(jsonData: text) else {
        return FuzzTarget.promise(false, "what was written cannot be read: \(String(decoding: text, as: UTF8.self))")
      }
      let textAgain = try? again.jsonData()
      FuzzTarget.promise(
        textAgain == text,
        "written twice: \(String(decoding: text, as: UTF8.self)), then "
          + String(decoding: textAgain ?? Data(), as: UTF8.self))
      let third = try? Self(jsonData: textAgain ?? Data())
      FuzzTarget.promise(third == again && third?.hashValue == again.hashValue, "equal texts, different values")
    }
  }

  protocol BinaryDigits { static var value: Int { get } }
  enum End: BinaryDigits { static var value: Int { 0 } }
  enum Zero<Rest: BinaryDigits>: BinaryDigits { static var value: Int { Rest.value * 2 } }
  enum One<Rest: BinaryDigits>: BinaryDigits { static var value: Int { Rest.value * 2 + 1 } }

  struct RandomModel<Digits: BinaryDigits>: FuzzModel, CustomReflectable, CustomDebugStringConvertible {
    var _storage: ModelStorage
    static var _layout: ModelLayout { RandomLayout(seed: UInt64(Digits.value)).layout }
  }

  /// Members of all kinds, drawn from a seed.
  private struct RandomLayout {
    let layout: ModelLayout

    private static let names = [
      "id", "text", "a", "ab", "a b", "data", "created_at", "public_metrics", "x\"y", "back\\slash", "é", "日本語", "",
      "a_very_long_name_that_takes_more_than_a_few_words", "public_metrics2", "idd", "\u{7F}", "type", "includes",
      "errors",
    ]
    private static let types = [
      "string", "int", "number", "bool", "date", "date(day)", "date(seconds)", "date(milliseconds)",
      "date(EEE MMM dd HH:mm:ss Z yyyy)", "bytes", "json", "#0", "#1", "#2", "#3", "#4",
    ]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed &* 7919)
      func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
      var names = Self.names
      var fields: [String] = []
      for _ in 0..<number(13) {
        var type = Self.types[number(Self.types.count)]
        for _ in 0..<[0, 0, 0, 1, 1, 2, 3][number(7)] { type = number(3) == 0 ? "{\(type)}" : "[\(type)]" }
        fields.append(
          "\(names.remove(at: number(names.count))):\(type)\(number(5) == 0 ? "|null" : "")\(number(3) == 0 ? "" : "?")"
        )
      }
      if number(4) == 0 { fields.append("*:{\(["json", "int", "string", "[#0]"][number(4)])}") }
      let models = (0..<2).map { _ in RandomModels.type(number(256)) }
      layout = ModelLayout(
        "\n" + fields.joined(separator: "\n"), [models[0], models[1], FuzzKind.self, FuzzUnion.self, FuzzTagged.self])
    }
  }

  private enum FuzzKind: OpenEnum, Hashable {
    case first, second
    case unknown(String)

    static var names: StaticString { "first second" }

    init(index: Int, text: String) {
      switch index {
      case 0: self = .first
      case 1: self = .second
      default: self = .unknown(text)
      }
    }

    var rawValue: String {
      switch self {
      case .first: "first"
      case .second: "second"
      case .unknown(let text): text
      }
    }
  }

  private enum FuzzUnion: Union, Hashable {
    case text(String)
    case numbers([Double])
    case model(RandomModel<One<End>>)
    case unknown(JSONValue)

    private static let variants = UnionVariants(String.self, [Double].self, RandomModel<One<End>>.self)

    init(json reader: inout JSONReader) throws(JSONError) {
      switch try reader.variant(of: Self.variants) {
      case 0: self = .text(try String(json: &reader))
      case 1: self = .numbers(try [Double](json: &reader))
      case 2: self = .model(try RandomModel<One<End>>(json: &reader))
      default: self = .unknown(try JSONValue(json: &reader))
      }
    }

    var _value: any JSONCodable & Sendable {
      switch self {
      case .text(let value): value
      case .numbers(let value): value
      case .model(let value): value
      case .unknown(let value): value
      }
    }
  }

  private enum FuzzTagged: Union, Hashable {
    case model(RandomModel<One<One<End>>>)
    case unknown(JSONValue)

    init(json reader: inout JSONReader) throws(JSONError) {
      switch try reader.variant(tag: "type", "a b") {
      case 0, 1: self = .model(try RandomModel<One<One<End>>>(json: &reader))
      default: self = .unknown(try JSONValue(json: &reader))
      }
    }

    var _value: any JSONCodable & Sendable {
      switch self {
      case .model(let value): value
      case .unknown(let value): value
      }
    }
  }
#endif
