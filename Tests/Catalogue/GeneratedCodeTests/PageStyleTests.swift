import Callsign
import Foundation
import TestSupport
import Testing

/// Pages by links, URLs, offsets and last ids, over sockets.
@Suite struct PageStyleTests {
  private func toys(_ ids: ClosedRange<Int>) -> String {
    ids.map { #"{"id":"t\#($0)","name":"n"}"# }.joined(separator: ",")
  }

  @Test("A Link field leads from page to page, forwards and backwards, only at the same host") func link() async throws
  {
    let server = try ShopServer { request, peer, _ in
      let page = request.query.first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) } ?? 1
      let base = "http://\(request["Host"] ?? "")/v1/toys?per_page=2"
      var links: [String] = ["<\(base)>; rel=\"first up\""]
      if page < 3 { links.append("<\(base)&page=\(page + 1)>;title=\"a, \\\"b\\\"; c\" ; REL=next") }
      if page > 1 { links.append("<?page=\(page - 1)>; rel=prev") }
      try peer.respond("200 OK", ["Link: " + links.joined(separator: ", ")], Array("[{\"id\":\"t\(page)\"}]".utf8))
    }
    defer { server.stop() }
    let pages = server.petstore().listToysPages(perPage: 2)
    var ids: [String] = []
    for try await toy in pages.items { ids.append(toy.id) }
    #expect(ids == ["t1", "t2", "t3"])
    #expect(server.targets == ["/v1/toys?per_page=2", "/v1/toys?per_page=2&page=2", "/v1/toys?per_page=2&page=3"])
    #expect(server.requests.allSatisfy { $0["Petstore-Version"] == "2026-11-01" })

    ids = []
    for try await toy in pages.resuming(from: "https://api.petstore.example/v1/toys?page=2").backwards().items {
      ids.append(toy.id)
    }
    #expect(ids == ["t2", "t1"])
    #expect(server.targets.last == "/v1/toys?page=1")
    await #expect(throws: CallError.self) {
      for try await _ in pages.resuming(from: "https://elsewhere.example/v1/toys?page=2") {}
    }
    #expect(server.requests.count == 5)
  }

  @Test("A next page at another host is an error, and is not requested") func foreignHost() async throws {
    let server = try ShopServer { _, peer, _ in
      try peer.respond(
        "200 OK", ["Link: <https://evil.example/v1/toys?page=2>; rel=next"], Array("[{\"id\":\"1\"}]".utf8))
    }
    defer { server.stop() }
    var count = 0
    do {
      for try await _ in server.petstore().listToysPages() { count += 1 }
      Issue.record("no error")
    } catch {
      guard case .unexpectedContent(let content) = error else { throw error }
      #expect(content.kind == .foreignPage)
    }
    #expect(count == 1)
    #expect(server.requests.count == 1)
  }

  @Test("The response's URL leads to the next page, whatever its path") func url() async throws {
    let server = try ShopServer(
      #"{"data":{"shelves":[\#(toys(1...2))]},"links":{"next":"/v1/shelves/more?after=2"}}"#,
      #"{"data":{"shelves":[{"id":"t3"}]},"links":{"next":null,"previous":"/v1/shelves"}}"#)
    defer { server.stop() }
    var ids: [String] = []
    for try await toy in server.petstore().listShelvesPages(room: "a").items { ids.append(toy.id) }
    #expect(ids == ["t1", "t2", "t3"])
    #expect(server.targets == ["/v1/shelves?room=a", "/v1/shelves/more?after=2"])
  }

  @Test("Tokens and elements may be any JSON, and tokens of different types") func anyJSON() async throws {
    let server = try ShopServer(
      #"{"meta":{"next":"n 2","x":true},"further":true,"rows":[{"id":1},{"id":2}]}"#,
      #"{"meta":{"next":7,"x":true},"further":true,"back":1,"rows":[{"id":3}]}"#,
      #"{"meta":{"next":8,"x":null},"further":false,"rows":null}"#)
    defer { server.stop() }
    var ids: [Int?] = []
    for try await row in server.petstore().listRacksPages().items { ids.append(row["id"]?.int) }
    #expect(ids == [1, 2, 3])
    #expect(server.targets == ["/v1/racks", "/v1/racks?cursor=n%202", "/v1/racks?cursor=7"])
  }

  @Test("The URL can be behind optional and required steps") func urlBehindSteps() async throws {
    let server = try ShopServer(
      #"{"data":{"aisles":[\#(toys(1...2))]},"links":{"self":"/v1/aisles","next":{"href":"/v1/aisles?after=2"}}}"#,
      #"{"data":null,"links":{"self":"/v1/aisles?after=2","next":{}}}"#)
    defer { server.stop() }
    var ids: [String] = []
    for try await toy in server.petstore().listAislesPages().items { ids.append(toy.id) }
    #expect(ids == ["t1", "t2"])
    #expect(server.targets == ["/v1/aisles", "/v1/aisles?after=2"])
  }

  @Test("An offset counts the elements so far, including those that could not be read") func offset() async throws {
    let server = try ShopServer(
      #"{"data":[{"id":"t1"},{"id":5},{"id":"t3"}]}"#, #"{"data":[{"id":"t4"}]}"#, #"{"data":[]}"#)
    defer { server.stop() }
    let pages = server.petstore().listBoxesPages(limit: 3)
    var items: [PageItem<Petstore.Toy>] = []
    for try await item in pages.rawItems { items.append(item) }
    #expect(items.map(\.value.id) == ["t1", "t3", "t4"])
    #expect(
      items.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == [
        #"{"id":"t1"}"#, #"{"id":"t3"}"#, #"{"id":"t4"}"#,
      ])
    #expect(
      server.targets == ["/v1/boxes?limit=3", "/v1/boxes?limit=3&offset=3", "/v1/boxes?limit=3&offset=4"])
  }

  @Test("A server that caps the page's size loses nothing: the empty page is the last") func cappedPages() async throws
  {
    let all = (1...5).map { "{\"id\":\"t\($0)\"}" }
    let server = try ShopServer { request, peer, _ in
      // Two at a time, whatever the caller asks for.
      let offset = request.query.first { $0.hasPrefix("offset=") }.flatMap { Int($0.dropFirst(7)) } ?? 0
      let data = all.dropFirst(offset).prefix(2).joined(separator: ",")
      try peer.respond("200 OK", ["Content-Type: application/json"], Array("{\"data\":[\(data)]}".utf8))
    }
    defer { server.stop() }
    var ids: [String] = []
    for try await toy in server.petstore().listBoxesPages(limit: 100).items { ids.append(toy.id) }
    #expect(ids == ["t1", "t2", "t3", "t4", "t5"])
    #expect(server.targets.count == 4 && server.targets.last == "/v1/boxes?limit=100&offset=5")
  }

  @Test("A total ends numbered pages") func totals() async throws {
    let server = try ShopServer(
      #"{"data":[\#(toys(1...2))],"total":3}"#, #"{"data":[\#(toys(3...3))],"total":3}"#, #"{"data":[]}"#)
    defer { server.stop() }
    var ids: [String] = []
    for try await toy in server.petstore().listStockPages(perPage: 50).items { ids.append(toy.id) }
    #expect(ids == ["t1", "t2", "t3"])
    #expect(server.targets == ["/v1/stock?per_page=50&page=1", "/v1/stock?per_page=50&page=2"])
  }

  @Test("A total means nothing if the elements before are not known") func totalsFromTheMiddle() async throws {
    let server = try ShopServer(#"{"data":[\#(toys(1...2))],"total":2}"#, #"{"data":[],"total":2}"#)
    defer { server.stop() }
    for try await _ in server.petstore().listStockPages().resuming(from: "4") {}
    #expect(server.targets == ["/v1/stock?page=4", "/v1/stock?page=5"])
  }

  @Test("An API that repeats its last page, or has no pages at all, does not continue forever") func repeats()
    async throws
  {
    let server = try ShopServer(#"{"data":[\#(toys(1...2))]}"#)
    defer { server.stop() }
    var count = 0
    for try await _ in server.petstore().listBoxesPages(limit: 5) { count += 1 }
    #expect(count == 1 && server.requests.count == 2)
  }

  @Test("A number without a page ends the pages, unless it is the first")
  func missingPage() async throws {
    let server = try ShopServer { request, peer, number in
      if number < 3 {
        try peer.respond("200 OK", ["Content-Type: application/json"], Array(#"{"data":[{"id":"\#(number)"}]}"#.utf8))
      } else {
        try peer.respond("404 Not Found", ["Content-Type: application/json"], Array("{}".utf8))
      }
    }
    defer { server.stop() }
    var count = 0
    for try await _ in server.petstore().listStockPages() { count += 1 }
    #expect(count == 2 && server.requests.count == 3)
    await #expect(throws: CallError.self) { for try await _ in server.petstore().listStockPages() {} }
  }

  @Test("The last ID requests the elements after it, until there are no more") func lastID() async throws {
    let server = try ShopServer(
      #"{"data":[\#(toys(1...2))],"has_more":true}"#, #"{"data":[\#(toys(3...4))],"has_more":false}"#)
    defer { server.stop() }
    var ids: [String] = []
    for try await toy in server.petstore().listCratesPages(limit: 2).items { ids.append(toy.id) }
    #expect(ids == ["t1", "t2", "t3", "t4"])
    #expect(server.targets == ["/v1/crates?limit=2", "/v1/crates?limit=2&starting_after=t2"])
  }

  @Test("A page that promises more pages, without a way to request them, is followed by an error")
  func missingNextPage() async throws {
    let server = try ShopServer(#"{"data":[\#(toys(1...2))],"has_more":true}"#, #"{"data":[],"has_more":true}"#)
    defer { server.stop() }
    var sizes: [Int] = []
    let error = await #expect(throws: CallError.self) {
      for try await page in server.petstore().listCratesPages() { sizes.append(page.data.count) }
    }
    #expect(sizes == [2, 0])
    guard case .unexpectedContent(let content) = error else {
      Issue.record("not .unexpectedContent")
      return
    }
    #expect(content.kind == .missingPage)
  }

  @Test("A header field may have the token") func headerToken() async throws {
    let server = try ShopServer { _, peer, number in
      let fields = number < 3 ? ["X-Next-Cursor: c\(number)"] : []
      try peer.respond("200 OK", fields, Array(#"{"data":[{"id":"\#(number)"}]}"#.utf8))
    }
    defer { server.stop() }
    let pages = server.petstore().listBinsPages()
    var tokens: [String?] = []
    for try await page in pages { tokens.append(pages.token(after: page)) }
    #expect(tokens == ["c1", "c2", nil])
    #expect(server.targets == ["/v1/bins", "/v1/bins?cursor=c1", "/v1/bins?cursor=c2"])
  }

  @Test("Pages whose next token is in a header field are read backwards by a token of the body") func headerBackwards()
    async throws
  {
    let server = try ShopServer { request, peer, _ in
      let number = request.query.first.flatMap { Int($0.dropFirst("cursor=c".count)) } ?? 1
      let previous = number > 1 ? #","previous":"c\#(number - 1)""# : ""
      try peer.respond(
        "200 OK", number < 3 ? ["X-Next-Cursor: c\(number + 1)"] : [],
        Array(#"{"data":[{"id":"\#(number)"}]\#(previous)}"#.utf8))
    }
    defer { server.stop() }
    let pages = server.petstore().listCansPages()
    var ids: [String] = []
    for try await toy in pages.items { ids.append(toy.id) }
    for try await toy in pages.resuming(from: "c3").backwards().items { ids.append(toy.id) }
    #expect(ids == ["1", "2", "3", "3", "2", "1"])
  }

  @Test("Pages may count from 0, and say themselves whether there are more") func numbers() async throws {
    let server = try ShopServer(#"{"data":[{"id":"1"}],"has_more":true}"#, #"{"data":[],"has_more":false}"#)
    defer { server.stop() }
    for try await _ in server.petstore().listRowsPages() {}
    #expect(server.targets == ["/v1/rows?page=0", "/v1/rows?page=1"])
  }

  @Test("A numbered page without elements is not the last if it says so") func emptyNumber() async throws {
    let server = try ShopServer(
      #"{"data":[{"id":"1"}],"has_more":true}"#, #"{"data":[],"has_more":true}"#,
      #"{"data":[{"id":"2"}],"has_more":false}"#)
    defer { server.stop() }
    var ids: [String] = []
    for try await toy in server.petstore().listRowsPages().items { ids.append(toy.id) }
    #expect(ids == ["1", "2"])
  }
}
