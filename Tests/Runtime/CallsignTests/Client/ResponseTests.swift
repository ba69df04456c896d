import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite struct ResponseTests {
  private func client(_ body: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Client {
    TestSupport.client([], InMemoryTransport { _ in .json(body, status: status, headerFields: headers) })
  }

  @Test("The value and its response") func theValueAndItsResponse() async throws {
    let headers: HTTPFields = [try #require(HTTPField.Name("x-rate-limit-remaining")): "7"]
    let response: Response<JSONValue> = try await client(
      #"{"data":{"id":"20"}}"#, status: .created, headers: headers
    ).send(Call(endpoint()))
    #expect(response.value["data"]?["id"]?.string == "20")
    #expect(response.object?.count == 1)
    #expect(response.status == .created)
    #expect(response.rateLimit?.remaining == 7)
    #expect(response.rateLimit?.reset == nil)
    #expect(response.body == Data(#"{"data":{"id":"20"}}"#.utf8))
    #expect(response.errors.isEmpty)
  }

  @Test("Partial errors come with a success") func partialErrorsComeWithASuccess() async throws {
    let body =
      #"{"data":[{"id":"1"}],"errors":[{"title":"Not Found Error","type":"t","detail":"no 2","resource_id":"2"}]}"#
    let response: Response<JSONValue> = try await client(body).send(Call(endpoint()))
    #expect(response.errors.map(\.title) == ["Not Found Error"])
    #expect(response.errors.first?.document["resource_id"]?.string == "2")
    #expect(response.value["data"]?.array?.count == 1)
  }

  @Test("A server that the catalogue does not know has to be given")
  func unknownServer() async throws {
    let call = Call(Endpoint("getA", "GET", "https://server.invalid/v1", "/a", auth: "none"))
    let transport = InMemoryTransport { _ in .json("{}") }
    let error = await #expect(throws: CallError.self) {
      let _: Response<JSONValue> = try await TestSupport.client([], transport).send(call)
    }
    #expect(
      error?.description.contains(#"["https://server.invalid": "https://…"]"#) == true, "\(String(describing: error))")
    #expect(transport.requests.isEmpty)
    let hosts: BaseURLOverrides = ["https://server.invalid": "https://shop.example"]
    let _: Response<JSONValue> = try await TestSupport.client([], hosts: hosts, transport).send(call)
    #expect(transport.requests.map { $0.head.path } == ["/v1/a"])
  }

  @Test("A response can be bytes or nothing") func bytesAndNothing() async throws {
    let bytes = try await client("not json").data(Call(endpoint()))
    #expect(bytes.value == Data("not json".utf8))
    let transport = InMemoryTransport { _ in .json("") }
    _ = try await TestSupport.client([], transport).data(Call(endpoint()))
    _ = try await TestSupport.client([], transport).data(
      Call(endpoint(), CallOptions(headers: ["accept": "image/png"])))
    #expect(transport.requests.map { $0.head.headerFields[.accept] } == ["*/*", "image/png"])
    let nothing: Response<NoContent> = try await client("", status: .noContent).send(Call(endpoint()))
    #expect(nothing.status == .noContent)
    let ignored: Response<NoContent> = try await client("<html>").send(Call(endpoint()))
    #expect(ignored.status == .ok)
  }

  @Test("Many calls at once") func manyCallsAtOnce() async throws {
    let transport = InMemoryTransport { request in .json("\"\(request.head.path ?? "")\"") }
    let client = TestSupport.client([OAuth1(consumerKey: "k", consumerSecret: "s")], transport)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          var call = Call(endpoint(auth: "oauth1"))
          call.add("index", index, in: .query)
          let response: Response<String> = try await client.send(call)
          #expect(response.value == "/2/things?index=\(index)")
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(transport.requests.map(\.authorization)).count == 200)
  }
}
