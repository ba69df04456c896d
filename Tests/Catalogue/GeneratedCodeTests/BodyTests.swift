import Callsign
import Foundation
import TestSupport
import Testing

/// Objects in queries, forms and parts, and bodies and responses of other media types, over sockets.
@Suite struct BodyTests {
  @Test("Objects are written in a query with brackets, dots and as JSON") func queries() async throws {
    let server = try ShopServer(#"{"data":[]}"#)
    defer { server.stop() }
    let filter = Petstore.ToyFilter(name: "a&b", colours: [.black, .single], price: .init(gte: 1))
    _ = try await server.petstore().findToys(
      filter: filter, range: ["from": 3], sort: [Petstore.ToyFilter(name: "x")], ids: [7, 8], words: ["a", "b c"],
      labels: ["x.y": "1", "z": "2"])
    #expect(
      server.requests.first?.query == [
        "filter[name]=a&b", "filter[colours][0]=black", "filter[colours][1]=1x", "filter[price][gte]=1", "range.from=3",
        #"sort=[{"name":"x"}]"#, "ids[0]=7", "ids[1]=8", "words=a|b c", "x.y=1", "z=2",
      ])
    #expect(server.targets.first?.contains("filter%5Bname%5D=a%26b") == true)
  }

  @Test("Lists and objects are written in a path, a query, a header and a cookie as one text each") func oneText()
    async throws
  {
    let server = try ShopServer(#"{"data":[]}"#)
    defer { server.stop() }
    _ = try await server.petstore().findPlaces(
      ids: ["a,b", "c"], tags: ["x", "y z"], kinds: [.black, .single], point: .init(x: 1, name: "a;b"),
      box: ["w": 3, "h": 2],
      days: [newYear, newYear], near: .init(x: 1, y: 2), xNear: .init(x: 3, name: "n"), place: .init(x: 4),
      cookieDays: "all")
    #expect(
      server.targets == [
        "/v1/places/a%2Cb,c/a%2Cb,c/.x.y%20z;kind=black;kind=1x;x=1;name=a%3Bb/h,2,w,3"
          + "?days=2020-01-01%7C2020-01-01&near=x,1,y,2"
      ])
    #expect(
      server.requests.first?["X-Near"] == "x=3,name=n" && server.requests.first?["Cookie"] == "place=x,4; days=all")
  }

  @Test("Objects are written in a form as deep as they are") func forms() async throws {
    let server = try ShopServer(#"{"id":"o1"}"#)
    defer { server.stop() }
    _ = try await server.petstore().orderToys(
      customer: "me", items: [.init(toy: "t1", count: 2), .init(toy: "t2")], metadata: ["k": "v"],
      extras: [.init(toy: "t3"), .init(toy: "t4")])
    let request = try #require(server.requests.first)
    #expect(
      request.form == [
        "customer=me", "items[0][toy]=t1", "items[0][count]=2", "items[1][toy]=t2", "metadata[k]=v",
        #"extras={"toy":"t3"}"#, #"extras={"toy":"t4"}"#,
      ])
    #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
  }

  @Test("A part is JSON, and several files have one name") func parts() async throws {
    let server = try ShopServer(#"{"id":"1"}"#)
    defer { server.stop() }
    let pictures = ["one", "two"].map { FilePart(Data($0.utf8), fileName: "\($0).png", mediaType: "image/png") }
    _ = try await server.petstore().sendToy(
      details: .init(id: "1", name: "Bear"), pictures: pictures,
      siblings: [.init(id: "2"), .init(id: "3")])
    let request = try #require(server.requests.first)
    let boundary = try #require(request["Content-Type"]?.components(separatedBy: "boundary=").last)
    let parts = request.text.components(separatedBy: "--\(boundary)").dropFirst().dropLast()
    #expect(
      Array(parts) == [
        "\r\nContent-Disposition: form-data; name=\"details\"\r\nContent-Type: application/json\r\n\r\n"
          + "{\"id\":\"1\",\"name\":\"Bear\"}\r\n",
        "\r\nContent-Disposition: form-data; name=\"pictures\"; filename=\"one.png\"\r\nContent-Type: image/png\r\n\r\none\r\n",
        "\r\nContent-Disposition: form-data; name=\"pictures\"; filename=\"two.png\"\r\nContent-Type: image/png\r\n\r\ntwo\r\n",
        "\r\nContent-Disposition: form-data; name=\"siblings\"\r\nContent-Type: application/json\r\n\r\n{\"id\":\"2\"}\r\n",
        "\r\nContent-Disposition: form-data; name=\"siblings\"\r\nContent-Type: application/json\r\n\r\n{\"id\":\"3\"}\r\n",
      ])
  }

  @Test("Names of several files have brackets if the API requires them") func fileLists() async throws {
    let server = try ShopServer(#"{"id":"1"}"#)
    defer { server.stop() }
    let files = ["a", "b"].map { FilePart(Data($0.utf8), fileName: $0) }
    _ = try await server.petstore().sendToy(details: .init(id: "1"), papers: files, sheets: files)
    let text = try #require(server.requests.first).text
    let names = text.components(separatedBy: " name=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(names == ["details", "papers[]", "papers[]", "sheets[0]", "sheets[1]"])
  }

  @Test("Lists of dates that can be cleared are sent everywhere") func clearedDates() async throws {
    let server = try ShopServer(#"{"id":"1","data":[]}"#)
    defer { server.stop() }
    let petstore = server.petstore()
    for dates in [Nullable.value([newYear, newYear]), .value([]), .null, nil] as [Nullable<[Date]>?] {
      _ = try await petstore.findPlaces(
        ids: ["a"], tags: ["b"], kinds: [.black], point: .init(x: 1), box: ["w": 1], holidays: dates)
      _ = try await petstore.orderToys(customer: "c", items: [], deliveries: dates)
      _ = try await petstore.sendToy(details: .init(id: "1"), shown: dates)
      _ = try await petstore.patchToy(id: "1", played: dates)
    }
    #expect(
      server.requests.filter { $0.target.contains("/places/") }.map(\.query) == [
        ["holidays=2020-01-01", "holidays=2020-01-01"], [], ["holidays="], [],
      ])
    #expect(
      server.requests.filter { $0.target.hasSuffix("/orders") }.map(\.text) == [
        "customer=c&deliveries=1577836800,1577836800", "customer=c&deliveries=", "customer=c&deliveries=", "customer=c",
      ])
    let parts = server.requests.filter { $0.target.hasSuffix("/toys") }.map {
      $0.text.components(separatedBy: " name=\"").dropFirst(2).map { $0.components(separatedBy: "\r\n--")[0] }
    }
    #expect(
      parts == [
        ["shown[]\"\r\n\r\n2020-01-01", "shown[]\"\r\n\r\n2020-01-01"], [], ["shown\"\r\n\r\n"], [],
      ])
    #expect(
      server.requests.filter { $0.target.hasSuffix("/toys/1") }.map(\.text) == [
        #"{"played":["2020-01-01","2020-01-01"]}"#, #"{"played":[]}"#, #"{"played":null}"#, "{}",
      ])
  }

  @Test("Bodies have the media type from the catalogue") func mediaTypes() async throws {
    let server = try ShopServer(#"{"id":"1"}"#)
    defer { server.stop() }
    _ = try await server.petstore().patchToy(id: "1", name: .null)
    try await server.petstore().putPicture(id: "1", picture: Data("png".utf8))
    #expect(server.requests.map { $0["Content-Type"] } == ["application/merge-patch+json", "image/png"])
    #expect(server.requests.map(\.text) == [#"{"name":null}"#, "png"])
  }

  @Test("Text that is the whole body is sent as it is") func wholeText() async throws {
    let server = try ShopServer(#"{"id":"1"}"#)
    defer { server.stop() }
    try await server.petstore().putNote(id: "1", note: "\"Größe\"")
    try await server.petstore().putNote(id: "1")
    #expect(server.requests.map { $0["Content-Type"] } == ["text/plain", nil])
    #expect(server.requests.map(\.text) == ["\"Größe\"", ""])
  }

  @Test(
    "Text is read in the character set that the response names",
    arguments: [
      ("text/csv; Charset=\"utf-16\"", [0xFE, 0xFF, 0x00, 0x61, 0x20, 0xAC], "a€"),
      ("text/csv; charset=utf-16", [0x00, 0x61], "a"), ("text/csv", [0xFF, 0xFE, 0x61, 0x00], "a"),
      ("text/csv; charset=UTF-16LE", [0x61, 0x00, 0xAC], "a\u{FFFD}"), ("text/csv", [0xEF, 0xBB, 0xBF, 0x61], "a"),
      ("text/csv; charset=utf-8", [0x61, 0xE4], "a\u{FFFD}"), ("text/csv; charset=windows-1252", [0x80, 0xE4], "€ä"),
      ("text/csv; header=present; charset=latin1", [0x80, 0xE4], "\u{80}ä"), ("text/csv; charset=", [0x61], "a"),
      ("text/csv; x=charset; charset=us-ascii", [0x61], "a"),
    ] as [(String, [UInt8], String)])
  func characterSets(type: String, bytes: [UInt8], text: String) async throws {
    let server = try ShopServer { _, peer, _ in try peer.respond("200 OK", ["Content-Type: \(type)"], bytes) }
    defer { server.stop() }
    #expect(try await server.petstore().getReport().value == text)
  }

  @Test("Text in another character set is an error that has its bytes") func unknownCharacterSet() async throws {
    let server = try ShopServer { _, peer, _ in
      try peer.respond("200 OK", ["Content-Type: text/csv; charset=koi8-r"], [0xC1])
    }
    defer { server.stop() }
    do {
      _ = try await server.petstore().getReport()
      Issue.record("no error")
    } catch {
      guard case .unexpectedContent(let content) = error else { throw error }
      #expect(content.kind == .characterSet && content.body == Data([0xC1]))
      #expect("\(error)".contains("in a character set that is not read"))
    }
  }

  @Test("A header parameter replaces the client's own field") func ownHeaders() async throws {
    let server = try ShopServer { _, peer, _ in try peer.respond("200 OK", ["Content-Type: text/csv"], [0x61]) }
    defer { server.stop() }
    _ = try await server.petstore().getReport()
    _ = try await server.petstore().getReport(userAgent: "Shop/2")
    let agents = server.requests.map { request in
      request.fields.filter { $0.name.lowercased() == "user-agent" }.map(\.value)
    }
    #expect(agents == [[ClientConfiguration.defaultUserAgent], ["Shop/2"]])
  }

  @Test("Responses are text or bytes, with their type") func responses() async throws {
    let server = try ShopServer { request, peer, _ in
      if request.target.hasSuffix("/report") {
        try peer.respond("200 OK", ["Content-Type: Text/CSV; charset=ISO-8859-1"], [0x61, 0x2C, 0xE9])
      } else {
        try peer.respond("200 OK", ["Content-Type: image/png"], [1, 2])
      }
    }
    defer { server.stop() }
    let report = try await server.petstore().getReport()
    let text: String = report.value
    #expect(text == "a,é")
    #expect(report.mediaType == "text/csv")
    #expect(try await server.petstore().getPicture(id: "1").value == Data([1, 2]))
    #expect(server.requests.map { $0["Accept"] } == ["text/csv", "image/png"])
  }
}
