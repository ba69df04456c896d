import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite struct BodyTests {
  private func body(_ kind: Endpoint.Body, _ build: (inout Call) -> Void) async throws -> String {
    var call = Call(endpoint("PATCH", body: kind))
    build(&call)
    return try await sent(call).bodyText()
  }

  @Test("Left out, null and a value are three requests") func leftOutNullAndValueAreThreeRequests() async throws {
    #expect(try await body(.json) { $0.json("nickname", Nullable<String>?.none) } == "{}")
    #expect(try await body(.json) { $0.json("nickname", Nullable<String>?.some(.null)) } == #"{"nickname":null}"#)
    #expect(
      try await body(.json) { $0.json("nickname", Nullable<String>?.some(.value("Rex"))) } == #"{"nickname":"Rex"}"#)
    #expect(try await body(.form) { $0.add("nickname", Nullable<String>?.none, in: .form) } == "")
    #expect(try await body(.form) { $0.add("nickname", Nullable<String>?.some(.null), in: .form) } == "nickname=")
    #expect(
      try await body(.form) { $0.add("nickname", Nullable<String>?.some(.value("Rex")), in: .form) } == "nickname=Rex")
    #expect(try await body(.json) { $0.json("private", Bool?.none) } == "{}")
    #expect(try await body(.json) { $0.json("private", false) } == #"{"private":false}"#)
    #expect(try await body(.json) { $0.json("private", true) } == #"{"private":true}"#)
  }

  @Test("JSON members are in the caller's order") func jsonMembersInTheCallersOrder() async throws {
    let text = try await body(.json) {
      $0.json("text", "a \"quoted\"\n text")
      $0.json("ids", ["1", "2"])
      $0.json("born", Date(timeIntervalSince1970: 1_700_000_000), .day)
      $0.json("at", Date(timeIntervalSince1970: 1_700_000_000), .seconds)
    }
    #expect(text == #"{"text":"a \"quoted\"\n text","ids":["1","2"],"born":"2023-11-14","at":1700000000}"#)
  }

  @Test("Each kind of body has its content type") func contentTypes() async throws {
    for (kind, type) in [
      (Endpoint.Body.json, "application/json"), (.form, "application/x-www-form-urlencoded"), (.none, nil),
    ] as [(Endpoint.Body, String?)] {
      #expect(try await sent(Call(endpoint("POST", body: kind))).head.headerFields[.contentType] == type)
    }
    let multipart = try await sent(Call(endpoint("POST", body: .multipart))).head.headerFields[.contentType]
    #expect(multipart?.hasPrefix("multipart/form-data; boundary=") == true)
  }

  @Test("Form fields arrive as they were") func formFieldsArriveAsTheyWere() async throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let value = random.text(length: 0...30)
      let text = try await body(.form) {
        $0.add("a", value, in: .form)
        $0.add("list", ["x", "y"], list: .repeat, in: .form)
      }
      #expect(decodeForm(text) == [["a", value], ["list", "x"], ["list", "y"]])
    }
  }

  @Test("One value is the whole body") func wholeBodies() async throws {
    var call = Call(endpoint("PUT"))
    call.body(Data([0, 1, 255]))
    var request = try await sent(call)
    #expect(try await request.body.collect() == Data([0, 1, 255]))
    #expect(request.head.headerFields[.contentType] == "application/octet-stream")

    call = Call(endpoint("PUT"))
    call.body(["a", "b"])
    request = try await sent(call)
    #expect(try await request.bodyText() == #"["a","b"]"#)
    #expect(request.head.headerFields[.contentType] == "application/json")

    call = Call(endpoint("PUT"))
    call.body(Data?.none)
    request = try await sent(call)
    #expect(request.body.length == 0)
  }

  @Test("Multipart bodies have their parts") func multipartParts() async throws {
    let text = try await body(.multipart) {
      $0.add("category", "tweet_image", in: .part)
      $0.add("left_out", String?.none, in: .part)
      $0.add("cleared", Nullable<String>?.some(.null), in: .part)
      $0.add("tags", ["a", "b"], list: .repeat, in: .part)
      $0.part("media", FilePart(Data("bytes".utf8), fileName: "a.png", mediaType: "image/png"))
    }
    for expected in [
      #"name="category""#, "tweet_image", #"name="cleared""#, #"filename="a.png""#, "image/png", "bytes",
    ] {
      #expect(text.contains(expected))
    }
    #expect(!text.contains("left_out"))
    #expect(text.components(separatedBy: #"name="tags""#).count == 3)
  }
}
