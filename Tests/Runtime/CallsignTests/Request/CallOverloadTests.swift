import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import Testing
import XCore

private enum Field: String, ParameterValue, JSONCodable, Sendable {
  case name
  init(json: inout JSONReader) throws(JSONError) {
    _ = try json.string()
    self = .name
  }
  func write(json: inout JSONWriter) { json.string(rawValue) }
}

private struct Item: Sendable { var id: Int? }
private struct Page: JSONDecodable, Sendable {
  struct Meta: Sendable { var nextToken: String? }
  var meta: Meta?
  var data: [Item]?
  init(json: inout JSONReader) throws(JSONError) { try json.skip() }
  func write(json: inout JSONWriter) { json.null() }
}

/// Checks that the compiler can choose between the overloads that generated code calls.
private func build(
  client: Client, fields: [Field]?, maybe: Nullable<[Field]>?, text: Nullable<String>?, date: Date?,
  since: Nullable<Date>?
) -> Pages<Page, Item> {
  var call = Call(Endpoint("x", "GET", "https://api.example", "/x/{id}", auth: "none"))
  call.path("id", "1")
  call.add("fields", fields, in: .query)
  call.add("fields", fields, list: .repeat, in: .query)
  call.add("maybe", maybe, in: .query)
  call.add("text", text, in: .query)
  call.add("date", date, in: .query)
  call.add("date", date, .seconds, in: .query)
  call.add("since", since, .day, in: .query)
  call.add("fields", fields, in: .form)
  call.add("text", text, in: .form)
  call.json("fields", fields)
  call.json("text", text)
  call.json("maybe", maybe)
  call.json("date", date, .day)
  call.json("flag", true)
  call.requireOne(of: "text", "date")
  return Pages(
    client, call, .token("pagination_token"), next: { $0.meta?.nextToken }, previous: { $0.meta?.nextToken },
    items: { $0.data ?? [] })
}
