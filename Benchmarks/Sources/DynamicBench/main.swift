import Callsign
import CallsignCatalogue
import CallsignDynamic
import Foundation
import Workload

// Calls through a catalogue loaded at run time. `Benchmarks/bench dynamic` compares them with the typed calls of `Bench`.

func dynamic() throws -> Work {
  let text = """
    api:
      name: Bench
      hosts: {api: https://api.x.com}
      schemes: {bearer: }
      auth: [bearer]

    endpoints:
      getUsersMe:
        call: GET /2/users/me
        summary: Gets the signed-in user's own account.
        params:
          user.fields: "[string]?"
        returns: UserResponse

    models:
      UserResponse: {data: User}
      User: {id: string, name: string, username: string, description: string?, verified: bool?}
    """
  let result = CatalogueLoader().load(files: [CatalogueSource(path: "bench.yaml", bytes: Array(text.utf8))])
  guard let catalogue = result.catalogue else {
    print(result.diagnostics)
    throw Unexpected()
  }
  let api = DynamicAPI(
    catalogue, auth: [Responses.bearer], configuration: ClientConfiguration(transport: Responses.MemoryTransport()))
  let operation = try api.operation("getUsersMe")
  return { count in
    for _ in 0..<count {
      let response = try await api.send(try operation.call())
      guard response.value["data"]?["id"]?.string == "2244994945" else { throw Unexpected() }
    }
  }
}

let words = Array(CommandLine.arguments.dropFirst())
WorkProgram.run {
  switch words.first {
  case "measure": try await WorkProgram.measure(signature: "") { _ in try dynamic() }
  case "count":
    guard words.count > 2, let repetitions = Int(words[2]) else { throw Unexpected() }
    try await WorkProgram.count(dynamic(), isFirst: false, repetitions: repetitions)
  default:
    FileHandle.standardError.write(Data("usage: DynamicBench measure|count\n".utf8))
    exit(64)
  }
}
