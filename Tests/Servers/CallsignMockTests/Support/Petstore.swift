import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes
import Testing

@testable import CallsignMock

/// A small catalogue with every style of pages and of streams.
enum Petstore {
  static func catalogue() throws -> Catalogue {
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "petstore.yaml", bytes: Array(text.utf8))])
    return try #require(result.catalogue, "\(result.diagnostics)")
  }

  static func mock(_ configuration: MockConfiguration = MockConfiguration()) throws -> MockServer {
    var configuration = configuration
    configuration.recordInterval = .zero
    return MockServer(try catalogue(), configuration: configuration)
  }

  private static let text = """
    api:
      name: Petstore
      hosts: {api: https://petstore.example/v1}
      schemes:
        bearer: A token.
        app_key: {$in: header, $name: X-App-Key}
        basic:
        oauth1:
      auth: [bearer]
      failure: {ok: false}
      errors: {404: NotFound, default: Problem}
    endpoints:
      getPet: {call: "GET /pets/{id}", params: {id: PetID}, returns: Pet}
      findPets: {call: GET /pets/find, params: {ids: "[PetID](1..3)"}, returns: "[Pet]"}
      taggedPets:
        call: GET /tagged/{tags}/{tags};again={again}/;{box}/.{dots}/{owner}
        params:
          tags: "[string](1..2)"
          again: {type: "[Kind]", list: repeat}
          box: {type: "{int}", object: pairs, list: repeat}
          dots: {type: "[int]", list: dot}
          owner: {type: Owner, object: flat}
          near: {type: "{int}?", object: flat}
          words: "[string](..2)?"
          X-Owner: {type: Owner?, in: header, object: pairs}
          cookie_near: {type: int?, in: cookie, as: near}
        returns: Status
      listPets:
        call: GET /pets
        params: {kind: Kind?, limit: int(1..100)?, token: "string(16..40)?"}
        pages: {token: token, next: meta.next, previous: meta.previous, items: data, size: limit}
        returns: PetPage
      cursorPets:
        call: GET /cursor
        params: {cursor: string?}
        pages: {cursor: cursor, next: next_cursor, previous: previous_cursor, items: pets}
        returns: CursorPage
      numberPets:
        call: GET /numbered
        params: {page: int?, size: int?}
        pages: {page: page, items: ., size: size, first: 0}
        returns: "[Pet]"
      offsetPets:
        call: GET /offset
        params: {offset: int?, limit: int?}
        pages: {offset: offset, items: data, size: limit}
        returns: PetPage
      maxPets:
        call: GET /max
        params: {max_id: int?, since_id: int?, count: int?}
        pages: {max_id: max_id, items: ., id: number, since: since_id, size: count}
        returns: "[Counted]"
      lastPets:
        call: GET /last
        params: {starting_after: string?, limit: int?}
        pages: {last_id: starting_after, items: data, id: id, more: has_more, size: limit}
        returns: MorePage
      urlPets: {call: GET /url, pages: {url: links.next, items: data}, returns: LinkedPage}
      linkPets: {call: GET /link, pages: {link: next, items: .}, returns: "[Pet]"}
      watchLines: {call: GET /lines, stream: lines, returns: Pet}
      watchEvents: {call: GET /events, stream: {framing: events, end: "[DONE]"}, returns: Pet}
      watchStatus: {call: GET /statuses, stream: {framing: events, end: "[DONE]"}, returns: Status}
      watchArray: {call: GET /array, stream: array, returns: Pet}
      createPet:
        call: POST /pets
        auth: [bearer, [app_key, basic]]
        params: {name: "string(1..20)", kind: Kind, tags: "[string]?", owner: Owner?}
        returns: Pet
      renamePet: {call: "PUT /pets/{id}", params: {id: PetID, name: string?, nickname: string?}, body: form, any_of: [name, nickname], returns: Pet}
      uploadPhoto: {call: "POST /pets/{id}/photo", auth: [oauth1], params: {id: PetID, caption: string, photo: file}, body: multipart, returns: Status}
      deletePet: {call: "DELETE /pets/{id}", params: {id: PetID}}
      headPets: {call: HEAD /head}
      ping: {call: GET /ping, auth: [none], params: {filter: {type: Filter?, object: brackets}}, returns: Status}
      photo: {call: "GET /pets/{id}/photo", params: {id: PetID}, accept: image/png, returns: bytes}
    models:
      PetID: string(/^[0-9]{1,9}$/)
      Kind: enum [cat, dog]
      Filter: {kind: Kind?, ages: "[int]?"}
      Owner: {name: string, email: string?}
      Pet: {id: PetID, name: string(1..20), kind: Kind, born: date(day), homepage: url?, tags: "[string]?", secret: {type: string, write_only: true}}
      Counted: {number: int, name: string}
      PetPage: {data: "[Pet]?", meta: Meta}
      Meta: {next: string?, previous: string?, result_count: int}
      CursorPage: {pets: "[Pet]", next_cursor: int, previous_cursor: int}
      MorePage: {data: "[Pet]", has_more: bool}
      LinkedPage: {data: "[Pet]", links: Links}
      Links: {next: url | null}
      Status: {ok: bool, note: string?}
      NotFound: {code: int, message: string}
      Problem: {title: string}

    """
}

extension MockServer {
  typealias Reply = (status: Int, headers: HTTPFields, body: JSONValue, bytes: Data)

  func call(_ target: String) async throws -> Reply { try await call("GET", target) }

  /// Sends a request as a client's transport does.
  func call(
    _ method: String, _ target: String, _ fields: [String: String] = ["Authorization": "Bearer x"],
    body: String = ""
  ) async throws -> Reply {
    try await Petstore.call(self, "https://petstore.example/v1\(target)", method, fields, body: body)
  }
}

extension Petstore {
  static func call(
    _ transport: any Transport, _ url: String, _ method: String = "GET",
    _ fields: [String: String] = ["Authorization": "Bearer x"], body: String = ""
  ) async throws -> (status: Int, headers: HTTPFields, body: JSONValue, bytes: Data) {
    var headers = HTTPFields()
    for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
    let request = TransportRequest(
      method: try #require(HTTPRequest.Method(method)), url: try #require(AbsoluteURL(url)), headerFields: headers,
      body: body.isEmpty ? .none : .data(Data(body.utf8)))
    let response = try await transport.send(request)
    let bytes = try await response.body.collect()
    return (response.head.status.code, response.head.headerFields, (try? JSONValue(jsonData: bytes)) ?? .null, bytes)
  }
}
