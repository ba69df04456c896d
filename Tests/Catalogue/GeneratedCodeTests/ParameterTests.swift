import Callsign
import Foundation
import Testing

/// Every place and type of parameter, as it goes out.
@Suite struct ParameterTests {
  @Test("A path parameter and a list go out") func pathAndList() async throws {
    let recorder = Recorder(#"{"data":\#(petJSON)}"#)
    let response = try await recorder.petstore.getPetById(id: "7/8", petFields: [.createdAt, .unknown("fur")])
    #expect(recorder.lines == ["GET api.petstore.example/v1/pets/7%2F8?pet.fields=created_at,fur"])
    #expect(response.data.name == "Rex")
    #expect(response.status == .ok)
  }

  @Test("A path parameter with reserved expansion keeps its slashes, and neither climbs nor ends the path")
  func reservedExpansion() async throws {
    let recorder = Recorder("\"x\"")
    _ = try await recorder.petstore.getFile(path: "a/b c:d@e/ä?#%2F")
    #expect(try recorder.path() == "/v1/files/a/b%20c:d@e/%C3%A4%3F%23%252F/text")
    for climbing in ["..", "a/../b", "./a", "a/.", ""] {
      await #expect(throws: CallError.self) { try await recorder.petstore.getFile(path: climbing) }
    }
    #expect(recorder.count == 1)
  }

  @Test("Reserved characters of a query stay unescaped if the catalogue says so") func reservedInQueries()
    async throws
  {
    let server = try ShopServer(#"{"data":[]}"#)
    defer { server.stop() }
    let all = ":/?#[]@!$&'()*+,;=%2F ä"
    let kept = ":/?%23[]@!$%26'()*%2B,;=%252F%20%C3%A4"
    _ = try await server.petstore().lookUpToys(
      path: all, tags: [all, "a"], words: [all, "b"], near: Petstore.Point(x: 1, name: "(a,b)"),
      filter: Petstore.ToyFilter(name: "a&b"), plain: "/:")
    #expect(
      server.targets == [
        "/v1/toys/paths?path=\(kept)&tags=\(kept.replacing(",", with: "%2C")),a&words=\(kept)&words=b"
          + "&near=x,1,name,(a%2Cb)&filter=%7B%22name%22:%22a%26b%22%7D&plain=%2F%3A"
      ])
    var options = CallOptions()
    options.sendsDefaults = true
    _ = try await server.petstore().lookUpToys(options: options)
    #expect(server.targets.last == "/v1/toys/paths?path=/a")
  }

  @Test("Unions that contain each other are read to any depth")
  func unionsOfEachOther() async throws {
    let recorder = Recorder(#"["a",["b",{"kind":"knot","knot":["c"]}],{"kind":"loop","loop":{"kind":"loop"}}]"#)
    guard case .knots(let list) = try await recorder.petstore.getFile(path: "a").value else {
      Issue.record("the outermost is a list")
      return
    }
    #expect(list.count == 3 && list[0] == .string("a"))
    guard case .knots(let inner) = list[1], case .loop(.knotHolder(let holder)) = inner[1] else {
      Issue.record("the second is a list with a loop")
      return
    }
    #expect(holder.knot == .knots([.string("c")]))
  }

  @Test("Every kind in a query") func everyKindInAQuery() async throws {
    let recorder = Recorder("{}")
    _ = try await recorder.petstore.searchPets(
      q: "a b&c", limit: 5, minWeight: 2.5, neutered: false, nickname: .null, bornAfter: newYear, bornOn: newYear,
      seenSince: newYear, seenUntil: newYear, listed: newYear, days: [newYear, newYear], colours: [.single, .black],
      tags: ["x", "y"], words: ["p", "q"], trace: "t1", pageToken: "next")
    #expect(
      try recorder.query() == [
        "q=a%20b%26c", "limit=5", "min_weight=2.5", "neutered=false", "nickname=",
        "born_after=2020-01-01T00%3A00%3A00Z", "born_on=2020-01-01", "seen_since=1577836800",
        "seen_until=1577836800000", "listed=Wed%20Jan%2001%2000%3A00%3A00%20%2B0000%202020",
        "days=2020-01-01,2020-01-01", "colours=1x", "colours=black", "tags%5B%5D=x", "tags%5B%5D=y", "words=p%20q",
        "page_token=next",
      ])
    #expect(try recorder.header("X-Trace") == "t1")
  }

  @Test("Arguments that are left out leave no trace")
  func leftOut() async throws {
    let recorder = Recorder("{}")
    _ = try await recorder.petstore.searchPets(q: "a")
    #expect(try recorder.path() == "/v1/pets?q=a")
    #expect(try recorder.header("X-Trace") == nil)
  }

  @Test("Fields go out as JSON") func jsonFields() async throws {
    let recorder = Recorder(petJSON)
    _ = try await recorder.petstore.updatePet(id: "7")
    #expect(try await recorder.body() == "{}")
    _ = try await recorder.petstore.updatePet(
      id: "7", nickname: .null, weight: .null, born: .null, tags: .null, mother: .null)
    #expect(
      try await recorder.body() == #"{"nickname":null,"weight":null,"born":null,"tags":null,"mother":null}"#)
    _ = try await recorder.petstore.updatePet(
      id: "7", name: "R\"x", nickname: "Rexy", weight: 1.5, born: .value(newYear), tags: .value(["a"]), mother: "3",
      owner: Petstore.Owner(id: "o", url: "https://o.example"), attributes: ["k": "v"], notes: .array([.null]),
      private: false)
    #expect(
      try await recorder.body()
        == #"{"name":"R\"x","nickname":"Rexy","weight":1.5,"born":"2020-01-01","tags":["a"],"mother":"3","owner":{"id":"o","url":"https://o.example"},"attributes":{"k":"v"},"notes":[null],"private":false}"#
    )
    #expect(try recorder.header("Content-Type") == "application/json")
  }

  @Test("Fields go out as a form") func formFields() async throws {
    let recorder = Recorder("")
    _ = try await recorder.petstore.submitPetForm(name: "R&x")
    #expect(try await recorder.body() == "name=R%26x")
    _ = try await recorder.petstore.submitPetForm(name: "Rex", nickname: .null, tags: .null, born: .null)
    #expect(try await recorder.body() == "name=Rex&nickname=&tags=&born=")
    _ = try await recorder.petstore.submitPetForm(
      name: "Rex", nickname: "R", tags: .value(["a", "b"]), born: .value(newYear), vaccinated: true, dryRun: true)
    #expect(try await recorder.body() == "name=Rex&nickname=R&tags=a,b&born=2020-01-01&vaccinated=true")
    #expect(try recorder.path() == "/v1/pets/form?dry_run=true")
    #expect(try recorder.header("Content-Type") == "application/x-www-form-urlencoded")
  }

  @Test("Fields go out as parts") func multipart() async throws {
    let recorder = Recorder(#"{"id":"1","size":3}"#)
    _ = try await recorder.petstore.uploadPhoto(
      id: "7", photo: FilePart(Data("abc".utf8), fileName: "a.png", mediaType: "image/png"),
      more: [FilePart(Data("def".utf8), fileName: "b.png")], caption: .null, taken: newYear, category: .black)
    let body = try await recorder.body()
    #expect(recorder.lines == ["POST files.petstore.example/pets/7/photo"])
    #expect(try recorder.header("Content-Type")?.hasPrefix("multipart/form-data") == true)
    for part in [
      "name=\"photo\"; filename=\"a.png\"", "image/png", "\r\n\r\nabc\r\n", "name=\"more\"; filename=\"b.png\"",
      "name=\"caption\"\r\n\r\n\r\n", "2020-01-01T00:00:00Z", "name=\"category\"",
    ] {
      #expect(body.contains(part), "\(part)")
    }
    _ = try await recorder.petstore.uploadPhoto(id: "7", photo: FilePart(Data("abc".utf8), fileName: "a.png"))
    #expect(try await !recorder.body().contains("caption"))
  }

  @Test("A parameter is the whole body") func wholeBodies() async throws {
    let recorder = Recorder("[]")
    _ = try await recorder.petstore.putPhoto(id: "1", content: Data([0, 1, 2]))
    #expect(try await recorder.body() == "\u{0}\u{1}\u{2}")
    _ = try await recorder.petstore.replacePets(pets: [Petstore.Pet(id: "1", name: "a", motto: .null)])
    #expect(try await recorder.body() == #"[{"id":"1","name":"a","motto":null}]"#)
  }

  @Test("A response is raw bytes") func bytesResponse() async throws {
    let recorder = Recorder("not JSON at all")
    let response = try await recorder.petstore.getPhoto(id: "1")
    #expect(response.value == Data("not JSON at all".utf8))
  }

  @Test("A response is a map") func mapResponse() async throws {
    let recorder = Recorder(#"{"cats":2,"dogs":"3"}"#)
    #expect(try await recorder.petstore.countPets().value == ["cats": 2, "dogs": 3])
  }

  @available(*, deprecated)
  @Test("Exactly one alternative is sent; a mistake that types cannot prevent is an error before sending")
  func rules() async throws {
    let recorder = Recorder(petJSON)
    _ = try await recorder.petstore.adoptPet(pet: .petID("7"), street: "Main", city: "Town", email: "a@b.example")
    #expect(try await recorder.body() == "pet_id=7&street=Main&city=Town&email=a%40b.example")
    _ = try await recorder.petstore.adoptPet(pet: .petName("Rex"), phone: "1")
    #expect(try await recorder.body() == "pet_name=Rex&phone=1")
    await #expect(throws: CallError.self) { try await recorder.petstore.adoptPet(pet: .petID("7")) }
    await #expect(throws: CallError.self) {
      try await recorder.petstore.adoptPet(pet: .petID("7"), street: "Main", email: "a@b.example")
    }
    await #expect(throws: CallError.self) {
      try await recorder.petstore.releasePet(pet: .petID("7"), until: newYear, forever: true)
    }
    #expect(recorder.count == 2)
  }

  @Test("Parameters may be named like the language's words and the generator's own")
  func oddNames() async throws {
    let recorder = Recorder("{}")
    _ = try await recorder.petstore.callOddly(
      options: "o", client: "c", call: "d", default: true, `inout`: 1, selfValue: "s", _1x: 2)
    #expect(try recorder.path() == "/v1/odd/o?client=c&call=d&default=true&inout=1&self=s&1x=2")
  }

  @Test("Options of a call") func optionsOfACall() async throws {
    let recorder = Recorder("{}")
    _ = try await recorder.petstore.countPets(options: CallOptions(headers: ["X-Extra": "1"]))
    #expect(try recorder.header("X-Extra") == "1")
  }

  @Test("Every endpoint is described, for tools")
  func endpoints() {
    let names = Petstore.endpoints.map(\.name.description)
    #expect(names.count == 60)
    #expect(Set(names).count == 60)
    let update = Petstore.endpoints.first { $0.name.description == "updatePet" }
    #expect(update?.auth.description == "oauth2(pets.read pets.write)")
    #expect(update?.isRepeatable == false)
    #expect(update?.body == .json)
    #expect(
      Petstore.baseURLs.map(\.description) == [
        "https://api.petstore.example/v1", "https://files.petstore.example",
        "https://{branch}.petstore.example/{version=v2}",
      ])
  }
}
