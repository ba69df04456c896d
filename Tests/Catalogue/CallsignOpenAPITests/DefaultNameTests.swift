import CallsignCatalogue
import CallsignOpenAPI
import Testing

@Suite("Good names if a document has none, or only a framework's") struct DefaultNameTests {
  private func names(_ operations: [(path: String, method: String, identifier: String?)]) throws -> [String] {
    let paths = Dictionary(grouping: operations, by: \.path).sorted { $0.key < $1.key }.map { path, operations in
      let methods = operations.map { operation in
        let identifier = operation.identifier.map { "operationId: \"\($0)\", " } ?? ""
        return "  \(operation.method): {\(identifier)responses: {\"204\": {description: \"\"}}}"
      }
      return "\"\(path)\":\n" + methods.joined(separator: "\n")
    }
    let imported = try Imported(document(paths: paths.joined(separator: "\n")))
    let found = imported.catalogue.groups.flatMap(\.endpoints)
    return operations.map { operation in
      let path = operation.path
      return found.first { $0.method == operation.method.uppercased() && $0.path == path }?.methodName ?? "none"
    }
  }

  @Test("FastAPI's are the function's") func fastAPI() throws {
    #expect(
      try names([
        ("/flows/{name}/{other}", "get", "read_flow_by_name_flows__name___other__get"),
        ("/api/v1/users/", "post", "create_user_api_v1_users__post"),
        ("/items/{item_id}", "get", "read_items__item_id__get"),
      ]) == ["readFlowByName", "createUser", "read"])
    // Two functions with the same name keep the part that distinguishes them.
    #expect(
      try names([("/a", "get", "read_a_get"), ("/b", "get", "read_b_get")]) == ["readAGet", "readBGet"])
  }

  @Test("Springfox's are the method's") func springfox() throws {
    #expect(
      try names([("/pets", "get", "listPetsUsingGET"), ("/pets", "post", "addPetUsingPOST_1")]) == [
        "listPets", "addPet",
      ])
    #expect(try names([("/pets", "get", "getUsingGETOnly")]) == ["getUsingGETOnly"])
  }

  @Test("An operation without a name is named after its effect") func unnamed() throws {
    #expect(
      try names([
        ("/api/v2/users", "get", nil), ("/api/v2/users", "post", nil), ("/api/v2/users/{id}", "get", nil),
        ("/api/v2/users/{id}", "put", nil), ("/api/v2/users/{id}", "delete", nil),
        ("/api/v2/users/{id}/posts", "get", nil), ("/search", "post", nil),
      ]) == ["getUsers", "createUser", "getUser", "updateUser", "deleteUser", "getUserPosts", "postSearch"])
    // A name that would equal another one is spelled out.
    #expect(
      try names([("/users/{id}", "get", nil), ("/users/{id}/{name}", "get", nil), ("/other", "get", "getUser")])
        == ["getUsersId", "getUsersIdName", "getUser"])
  }

  @Test("A response that unlike operations share is called after its members") func equalShapes() throws {
    func operation(_ path: String, _ method: String, _ name: String) -> String {
      """
      \(path):
        \(method):
          operationId: \(name)
          responses: {"200": {description: "", content: {application/json: {schema: {type: object, properties: {ok: {type: boolean}}}}}}}
      """
    }
    let imported = try Imported(
      document(
        paths: [operation("/a", "delete", "deleteHistory"), operation("/b", "get", "getRecords")].joined(
          separator: "\n")))
    #expect(
      imported.catalogue.groups.flatMap(\.endpoints).compactMap(\.returns?.text) == ["OkResponse", "OkResponse"])
  }
}
