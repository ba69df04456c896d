import Callsign
import Foundation
import Testing

/// Rare facts of catalogues, as they go out and come in.
@Suite struct RarityTests {
  private static let series = """
    {"id":"s","values":[1.5,null,2.5],"labels":{"a":"x","b":null},"words":[null,"w"],"pets":[{"id":"o"},null],\
    "days":["2020-01-01",null],"gaps":[null,"g"],"rows":[["r"],null,[]],"counts":{"c":1,"d":null},"more":null,"other":"z"}
    """

  @Test("Elements that may be null are read, written and compared") func nullElements() throws {
    let series = try Petstore.Series(jsonString: Self.series)
    #expect(series.values == [1.5, .null, 2.5] && !series.isMissing(\.values))
    #expect(series.labels == ["a": "x", "b": .null])
    #expect(series.words == [.null, "w"])
    #expect(series.pets == [.value(Petstore.Owner(id: "o")), .null])
    #expect(series.days == [.value(newYear), .null])
    #expect(series.gaps == .value([.null, "g"]))
    #expect(series.rows == [.value(["r"]), .null, .value([])])
    #expect(series.counts == .value(["c": 1, "d": .null]))
    #expect(series.extra == ["more": .null, "other": "z"])
    #expect(try series.jsonString() == Self.series)
    var issues: [DecodingIssue] = []
    let bent = try Petstore.Series(
      jsonData: Data(#"{"id":"s","values":[null,"x",1],"words":[1,null],"gaps":null}"#.utf8), issues: &issues)
    #expect(bent.values == [.null, 1] && bent.words == [.null] && bent.gaps == .null)
    #expect(issues.count == 2)
  }

  @Test("Elements that may be null are set") func settingNullElements() throws {
    var made = Petstore.Series(id: "s", values: [1.5, .null, 2.5], gaps: .null)
    #expect(try made.jsonString() == #"{"id":"s","values":[1.5,null,2.5],"gaps":null}"#)
    made.labels = ["a": "x", "b": .null]
    made.words = [.null, "w"]
    made.pets = [.value(Petstore.Owner(id: "o")), .null]
    made.days = [.value(newYear), .null]
    made.gaps = .value([.null, "g"])
    made.rows = [.value(["r"]), .null, .value([])]
    made.counts = .value(["c": 1, "d": .null])
    made.extra = ["more": .null, "other": "z"]
    #expect(try made.jsonString() == Self.series)
    #expect(try made == Petstore.Series(jsonString: Self.series))
    #expect(try made.hashValue == Petstore.Series(jsonString: Self.series).hashValue)
    made.values = []
    #expect(try made != Petstore.Series(jsonString: Self.series))
  }

  @Test("Values of open enums distinguish similar variants") func enumsTellApart() throws {
    let dog = Petstore.Dog(name: "Rex", kind: .dog)
    #expect(try Petstore.Animal(jsonString: #"{"kind":"dog","name":"Rex"}"#) == .dog(dog))
    #expect(
      try Petstore.Animal(jsonString: #"{"kind":"cat","name":"Tom"}"#) == .cat(Petstore.Cat(name: "Tom", kind: .cat)))
    // Of neither kind, it is the first.
    #expect(try Petstore.Animal(jsonString: #"{"name":"Tom"}"#) == .cat(Petstore.Cat(name: "Tom")))
    #expect(
      try Petstore.Box(jsonString: #"{"animal":{"name":"Rex","kind":"dog"},"size":1}"#)
        == .dogBox(Petstore.DogBox(animal: dog, size: 1)))
    // The enum is a text in its model all the same.
    #expect(try Petstore.Dog(jsonString: #"{"kind":"wolf","name":"a"}"#).kind == .unknown("wolf"))
    #expect(try dog.jsonString() == #"{"kind":"dog","name":"Rex"}"#)
  }

  @Test("Names that look like signs of a layout are names") func oddNames() throws {
    let json =
      #"{"update(s)":"u","date(utc)":7,"x:date(a)":["10:30"],"*":{"a":1},"storage":2,"model_storage":"m","write":true,"last":"l"}"#
    let odd = try Petstore.Odd(jsonString: json)
    #expect(odd.updateS == "u" && odd.utc == 7 && odd.star == ["a": 1] && odd.last == "l")
    #expect(odd.hours == [Date(timeIntervalSince1970: 37_800)])
    #expect(odd.modelStorage == "m" && odd.writeValue == true)
    #expect(try odd.jsonString() == json)
    let made = Petstore.Odd(updateS: "u", utc: 1, last: "l")
    #expect(try made.jsonString() == #"{"update(s)":"u","date(utc)":1,"last":"l"}"#)
  }

  @Test("A model prints as the initializer that makes it, even if a property has its name on the wire")
  func printedNames() {
    let made = Petstore.Odd(updateS: "u", utc: 1, ip4_6: 4, _1: true, a_b: "c")
    #expect(String(describing: made) == #"Odd(updateS: "u", utc: 1, ip4_6: 4, _1: true, a_b: "c")"#)
  }

  @Test("Names that combine with the sign next to them into one character are valid") func namesOfMarks() throws {
    let json =
      "{\"\u{301}b\":\"1\",\"d\u{600}\":2,\"\u{1F3FD}x\":[\"3\"],\"y\u{200D}\":\"\u{301}10:30\",\"last\":\"5\"}"
    let marks = try Petstore.Marks(jsonString: json)
    #expect(marks.accent == "1" && marks.prefix == 2 && marks.tone == ["3"] && marks.last == "5")
    #expect(marks.joiner == Date(timeIntervalSince1970: 37_800))
    #expect(Array(try marks.jsonString().utf8) == Array(json.utf8))
    #expect(marks == Petstore.Marks(accent: "1", prefix: 2, tone: ["3"], joiner: marks.joiner, last: "5"))
    for name in ["\u{301}z", "w\u{600}"] {
      #expect(try Petstore.Marks(jsonString: "{\"\(name)\":\"\u{301}10:30\"}").joiner == marks.joiner)
    }
    #expect(try Petstore.Marks(jsonString: "{\"\u{301}\":\"5\"}").last == "5")
  }

  @Test("Formats hold in objects outside JSON") func formats() async throws {
    let recorder = Recorder("{}")
    _ = try await recorder.petstore.sendFormats(
      seen: ["a": newYear], left: ["b": newYear], waits: ["c": .milliseconds(1500)], pauses: [["d": .milliseconds(500)]]
    )
    #expect(
      try recorder.query().compactMap(\.removingPercentEncoding)
        == ["seen[a]=1577836800", "left=b,2020-01-01", "waits.c=1500", "pauses[0][d]=0.5"])
  }

  @Test("A union writes a variant in the variant's format") func formatsOfVariants() async throws {
    let recorder = Recorder("{}")
    _ = try await recorder.petstore.sendFormats(moment: .date(newYear), span: .long(.milliseconds(2500)))
    #expect(try await recorder.body() == #"{"moment":"2020-01-01","span":2.5}"#)
    #expect(try Petstore.Moment(jsonString: #""2020-01-01""#) == .date(newYear))
    #expect(try Petstore.Moment(jsonString: #""2020-01-01""#).hashValue == Petstore.Moment.date(newYear).hashValue)
    #expect(try Petstore.Moment(jsonString: "5") == .int(5))
    #expect(try Petstore.Span(jsonString: "2.5") == .long(.milliseconds(2500)))
  }
}
