import Callsign
import Foundation
import Testing

/// Decimals, URLs, UUIDs, numbers of 32 bits and lengths of time, as they go out and come in.
@Suite struct FormattedTypeTests {
  private static let id = "123e4567-e89b-12d3-a456-426614174000"
  private let id = UUID(uuidString: Self.id) ?? UUID()

  private static let whole = """
    {"id":"\(id)","amount":"12.50","tax":0.1,"link":"https://shop.example/a?b=c","floor":-3,"due":"PT1H30M",\
    "wait":2.5,"slow":1500,"run":"90s","parts":["0.10","1"],"links":{"a":"https://a.example"},"total":19.99}
    """

  @Test("Arguments go out in the API's own form")
  func arguments() async throws {
    let recorder = Recorder(Self.whole)
    _ = try await recorder.petstore.sendInvoice(
      id: id, amount: 12.5, within: .seconds(90), timeout: .milliseconds(2500),
      pauses: [.seconds(1), .milliseconds(1)], least: Decimal(string: "0.10"), page: URL(string: "https://a.example/b"),
      tax: 7, link: .null, wait: .seconds(3), waits: [.seconds(2)], limits: ["a": .seconds(90)], floor: 4,
      discount: .value(0.5))
    #expect(try recorder.path().hasPrefix("/v1/invoices/\(Self.id)?"))
    #expect(try recorder.query() == ["within=PT1M30S", "timeout=2.5", "pauses=1000,1", "least=0.1"])
    #expect(try recorder.header("page") == "https://a.example/b")
    #expect(
      try await recorder.body()
        == #"{"amount":"12.5","tax":7,"link":null,"wait":3,"waits":[2000],"limits":{"a":"90s"},"floor":4,"discount":"0.5"}"#
    )
  }

  @Test("Dates have the API's format in lists with null, lists of lists, maps and a whole body, in both directions")
  func dates() async throws {
    let day = Date(timeIntervalSince1970: 1_577_836_800)
    let recorder = Recorder(#"["2020-01-01"]"#)
    let days = try await recorder.petstore.setHolidays(
      closed: [.value(day), .null], weeks: [[day], []], first: day, names: ["New Year": day], until: ["a": day]
    ).value
    #expect(days == [day])
    #expect(try recorder.query().map(\.removingPercentEncoding) == [#"until={"a":"2020-01-01"}"#])
    #expect(
      try await recorder.body()
        == #"{"closed":["2020-01-01",null],"weeks":[["2020-01-01"],[]],"names":{"New Year":1577836800},"first":"2020-01-01"}"#
    )
    let whole = Recorder(#"{"a":1577836800}"#)
    #expect(try await whole.petstore.replaceHolidays(days: [day, day]).value == ["a": day])
    #expect(try await whole.body() == #"["2020-01-01","2020-01-01"]"#)
  }

  @Test("Bytes go out as base64url without padding, and numbers of 64 bits with all digits, and both come in")
  func base64URL() async throws {
    let key = Data([0xFB, 0xFF, 0xFE, 0xFF])
    let text =
      #"{"key":"-__-_w","keys":["-__-_w"],"number":18446744073709551615,"numbers":{"a":18446744073709551615}}"#
    let recorder = Recorder(text)
    let receipt = try await recorder.petstore.signReceipt(
      key: key, number: .max, keys: [key], named: ["a": key], numbers: [.max, 0], after: 9_223_372_036_854_775_808
    ).value.value
    #expect(try recorder.query() == ["after=9223372036854775808"])
    #expect(
      try await recorder.body()
        == #"{"key":"-__-_w","keys":["-__-_w"],"named":{"a":"-__-_w"},"number":18446744073709551615,"numbers":[18446744073709551615,0]}"#
    )
    #expect(receipt?.key == key && receipt?.keys == [key])
    #expect(receipt?.number == .max && receipt?.numbers == ["a": .max])
    #expect(try receipt?.jsonString() == text)
  }

  @Test("A response that may be null is null")
  func nullResponse() async throws {
    let response = try await Recorder("null").petstore.signReceipt(key: Data(), number: 0)
    #expect(response.value.isNull)
    #expect(response.issues.isEmpty)
  }

  @Test("A response is read, and written as it was")
  func respond() async throws {
    let invoice: Petstore.Invoice = try await Recorder(Self.whole).petstore.sendInvoice(id: id, amount: 1).value
    #expect(invoice.id == id)
    #expect(invoice.amount == Decimal(string: "12.5") && invoice.tax == Decimal(string: "0.1"))
    #expect(invoice.link?.absoluteString == "https://shop.example/a?b=c")
    #expect(invoice.floor == -3)
    #expect(invoice.due == .seconds(5400) && invoice.wait == .milliseconds(2500) && invoice.run == .seconds(90))
    #expect(invoice.slow == .value(.milliseconds(1500)))
    #expect(invoice.parts == [Decimal(string: "0.1"), 1])
    #expect(invoice.links?["a"] == URL(string: "https://a.example"))
    #expect(invoice.total == .decimal(Decimal(string: "19.99") ?? 0))
    let again = try Petstore.Invoice(jsonString: invoice.jsonString())
    #expect(again == invoice)
    #expect(try invoice.jsonString().contains(#""amount":"12.5","tax":0.1"#))
    #expect(try invoice.jsonString().contains(#""due":"PT1H30M","wait":2.5,"slow":1500,"run":"90s""#))
    let made = Petstore.Invoice(id: id, amount: 3, wait: .seconds(1))
    #expect(try made.jsonString() == #"{"id":"\#(Self.id)","amount":"3","wait":1}"#)
    #expect(made.tax == nil && made.slow == nil && made.parts == [])
  }

  @Test(
    "An optional member that cannot be read is absent and reported",
    arguments: [
      (#""tax":"ten""#, "tax"), (#""link":"""#, "link"), (#""link":7"#, "link"), (#""floor":2147483648"#, "floor"),
      (#""due":"P1M""#, "due"), (#""wait":"soon""#, "wait"), (#""run":true"#, "run"), (#""slow":"x""#, "slow"),
    ])
  func tolerance(member: String, path: String) async throws {
    let recorder = Recorder(#"{"id":"\#(Self.id)","amount":"1",\#(member)}"#)
    let response = try await recorder.petstore.sendInvoice(id: id, amount: 1)
    #expect(response.amount == 1)
    #expect(response.issues.map { "\($0.path)" } == [path])
  }

  @Test("A required member that cannot be read fails the call, with its path")
  func required() async throws {
    let recorder = Recorder(#"{"id":"no","amount":"1"}"#)
    do {
      _ = try await recorder.petstore.sendInvoice(id: id, amount: 1)
      Issue.record("the response was read")
    } catch {
      #expect("\(error)".contains("id") && "\(error)".contains("a UUID"))
    }
  }

  @Test("Elements of lists and maps that cannot be read are left out")
  func elements() async throws {
    let recorder = Recorder(
      #"{"id":"\#(Self.id.replacingOccurrences(of: "-", with: ""))","amount":1,"parts":["1","x",2],"links":{"a":1,"b":"/b"}}"#
    )
    let response = try await recorder.petstore.sendInvoice(id: id, amount: 1)
    #expect(response.id == id && response.amount == 1)
    #expect(response.parts == [1, 2])
    #expect(response.links?.keys.sorted() == ["b"])
    #expect(response.issues.count == 2)
  }

  @Test(
    "Members that the API sets may be left out of sent values; those that it never returns are not missed in responses")
  func oneWayMembers() throws {
    #expect(try Petstore.Payment(pin: "1234").jsonString() == #"{"object":"payment","version":2,"pin":"1234"}"#)
    let payment = try Petstore.Payment(jsonString: #"{"object":"x","version":3,"number":7,"reasons":["a"]}"#)
    #expect(payment.object == "x" && payment.version == 3)
    #expect(payment.number == 7 && payment.reasons == ["a"] && payment.note == nil)
    #expect(throws: JSONError.self) { try Petstore.Payment(jsonString: #"{"object":"x","version":3,"pin":"1234"}"#) }
    var issues: [DecodingIssue] = []
    let bare = try Petstore.Payment(jsonData: Data(#"{"version":"two","number":7,"reasons":[]}"#.utf8), issues: &issues)
    #expect(bare.object == "payment" && bare.version == 2)
    #expect(issues.map(\.omittedPath) == ["object", "version"] && issues.allSatisfy { $0.outcome == .constant })
    let whole = Petstore.Payment(pin: "1", number: 2, reasons: [])
    #expect(try whole.jsonString() == #"{"object":"payment","version":2,"number":2,"reasons":[],"pin":"1"}"#)
  }

  @Test("Enums of whole numbers are open, closed ones are Swift's own")
  func enums() throws {
    let json = #"{"level":2,"levels":[1,7],"side":"left","other":"right","back":null,"digit":1,"any":1}"#
    let board = try Petstore.Board(jsonString: json)
    #expect(board.level == .high && board.levels == [.low, .unknown(7)] && board.level != .unknown(1))
    #expect(Petstore.Level.unknown(1) == .low)
    #expect(board.side == .left && board.other == .right && board.back == .null && board.digit == .one)
    #expect(board.any == .level(.low))
    #expect(try board.jsonString() == json)
    switch board.side {
    case .left, .right: break
    }
    var issues: [DecodingIssue] = []
    let odd = try Petstore.Board(
      jsonData: Data(
        #"{"level":"x","side":"left","other":"up","digit":7,"any":"left"}"#.replacingOccurrences(of: #""x""#, with: "3")
          .utf8),
      issues: &issues)
    #expect(odd.level == .unknown(3) && odd.other == nil && odd.digit == nil && odd.any == .side(.left))
    #expect(issues.map { "\($0.path)" } == ["other", "digit"])
    #expect(throws: JSONError.self) { try Petstore.Board(jsonString: #"{"level":1,"side":"up"}"#) }
    #expect(try JSONDecoder().decode(Petstore.Level.self, from: Data("2".utf8)) == .high)
    #expect(Petstore.Side.allCases == [.left, .right])
  }

  @Test("Enums of all kinds are arguments")
  func enumArguments() async throws {
    let recorder = Recorder(Self.whole)
    _ = try await recorder.petstore.sendInvoice(id: id, amount: 1, level: .unknown(9), side: .right)
    #expect(try recorder.query() == ["level=9", "side=right"])
  }
}
