import Callsign
import Foundation

/// Left out, cleared, and set are three different requests: in JSON, in a form, and in a query.
@main struct CustomCatalogue {
  static func main() async throws {
    var report = Report()
    try await EchoServer().run { baseURL in
      let petstore = Petstore(auth: .none, configuration: ClientConfiguration(hosts: .all(to: baseURL)))
      let birthday = Date(timeIntervalSince1970: 1_577_836_800)

      report.begin("PATCH, JSON")
      try await report.expect("left out", petstore.updatePet(id: "7"), "/v1/pets/7", "{}")
      try await report.expect(
        ".null", petstore.updatePet(id: "7", nickname: .null, weight: .null, born: .null), "/v1/pets/7",
        #"{"nickname":null,"weight":null,"born":null}"#)
      try await report.expect(
        "a value", petstore.updatePet(id: "7", nickname: "Rex", weight: 12.5, born: .value(birthday)), "/v1/pets/7",
        #"{"nickname":"Rex","weight":12.5,"born":"2020-01-01"}"#)

      report.begin("POST, form")
      try await report.expect("left out", petstore.updatePetForm(id: "7"), "/v1/pets/7", "")
      try await report.expect(
        ".null", petstore.updatePetForm(id: "7", nickname: .null, weight: .null, born: .null), "/v1/pets/7",
        "nickname=&weight=&born=")
      try await report.expect(
        "a value", petstore.updatePetForm(id: "7", nickname: "Rex & Co", weight: 12.5, born: .value(birthday)),
        "/v1/pets/7", "nickname=Rex%20%26%20Co&weight=12.5&born=2020-01-01")

      report.begin("GET, query")
      try await report.expect("left out", petstore.searchPets(), "/v1/pets", "")
      try await report.expect(
        ".null", petstore.searchPets(nickname: .null, weight: .null, born: .null), "/v1/pets?nickname=&weight=&born=",
        "")
      try await report.expect(
        "a value", petstore.searchPets(nickname: "Rex", weight: 12.5, born: .value(birthday)),
        "/v1/pets?nickname=Rex&weight=12.5&born=2020-01-01", "")
    }
    exit(report.finish())
  }
}
