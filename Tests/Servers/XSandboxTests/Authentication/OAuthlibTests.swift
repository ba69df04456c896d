import Foundation
import TestSupport
import Testing

@testable import XSandbox

/// A client that owes nothing to this project: `oauthlib` signs, Python's `urllib` sends.
@Suite("oauthlib as the client", .needs(.python(with: "oauthlib")))
struct OAuthlibTests {
  private static let program = """
    import json, sys, urllib.request, urllib.error
    from urllib.parse import urlencode
    from oauthlib.oauth1 import Client, SIGNATURE_TYPE_QUERY, SIGNATURE_TYPE_BODY
    setup = json.load(sys.stdin)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    places = {'query': SIGNATURE_TYPE_QUERY, 'body': SIGNATURE_TYPE_BODY}
    responses = []
    for call in setup['calls']:
        keys = dict(setup['keys']); keys.update(call.get('keys', {}))
        client = Client(keys['consumer_key'], client_secret=keys['consumer_secret'],
                        resource_owner_key=keys['token'], resource_owner_secret=keys['token_secret'],
                        **({'signature_type': places[call['place']]} if 'place' in call else {}))
        headers = {'Content-Type': call['type']} if 'type' in call else {}
        body = urlencode(call['form']) if 'form' in call else call.get('body')
        url, headers, body = client.sign(setup['url'] + call['target'], http_method=call['method'],
                                         body=body, headers=headers)
        data = body.encode() if body is not None and body != '' else None
        request = urllib.request.Request(url, data=data, headers=headers, method=call['method'])
        try:
            with opener.open(request) as response: responses.append([response.status, json.loads(response.read())])
        except urllib.error.HTTPError as error: responses.append([error.code, json.loads(error.read())])
    json.dump(responses, sys.stdout)
    """

  private struct Call {
    var method = "GET"
    var target: String
    var type: String?
    var body: String?
    /// Values that Python encodes as a form.
    var form: [String: JSON]?
    var place: String?
    var keys: [String: JSON] = [:]

    var json: JSON {
      var members: [String: JSON] = ["method": .string(method), "target": .string(target)]
      members["type"] = type.map(JSON.string)
      members["body"] = body.map(JSON.string)
      members["form"] = form.map(JSON.object)
      members["place"] = place.map(JSON.string)
      if !keys.isEmpty { members["keys"] = .object(keys) }
      return .object(members)
    }
  }

  private func perform(_ calls: [Call], on sandbox: Sandbox) async throws -> [(status: JSON, body: JSON)] {
    let input: JSON = [
      "url": .string(sandbox.url.absoluteString),
      "keys": [
        "consumer_key": .string(sandbox.app.consumerKey), "consumer_secret": .string(sandbox.app.consumerSecret),
        "token": .string(sandbox.users.alice.accessToken),
        "token_secret": .string(sandbox.users.alice.accessTokenSecret),
      ],
      "calls": .array(calls.map(\.json)),
    ]
    let program = Self.program
    let output = try JSON(parsing: try await onThread { try Python.run(program, input: input.bytes) })
    guard case .array(let responses) = output else { return [] }
    return responses.map { if case .array(let pair) = $0 { (pair[0], pair[1]) } else { (.null, .null) } }
  }

  @Test("Requests of every kind are accepted")
  func accepted() async throws {
    try await withSandbox { (sandbox) async throws in
      let responses = try await perform(
        [
          Call(target: "/2/users/me"),
          Call(target: "/2/users/me?user.fields=created_at%2Cpublic_metrics&expansions=pinned_post_id"),
          Call(target: "/2/users/by?usernames=alice,bob"),
          Call(target: "/2/tweets/search/recent?query=caf%C3%A9%20%22%21%27%28%29%2A~%2B%26%3D%22"),
          Call(
            method: "POST", target: "/2/tweets", type: "application/json",
            body: #"{"text": "a & b = c + d, über !'()*~"}"#),
          Call(method: "DELETE", target: "/2/users/\(sandbox.users.alice.id)/following/\(sandbox.users.bob.id)"),
          Call(target: "/2/users/me?user.fields=name", place: "query"),
        ], on: sandbox)
      #expect(responses.map(\.status) == [200, 200, 200, 200, 201, 200, 200], "\(responses)")
      #expect(responses.first?.body["data"]?["username"] == "alice")
      #expect(responses[4].body["data"]?["text"] == "a &amp; b = c + d, über !'()*~")
    }
  }

  @Test("A form body is part of the signature, in the header and in the body")
  func forms() async throws {
    try await withSandbox { (sandbox) async throws in
      // No v2 operation takes a form: a right signature gets past authentication to the complaint about the media type.
      let form = "text=a+b%26c&status=%C3%BC"
      let responses = try await perform(
        [
          Call(method: "POST", target: "/2/tweets", type: "application/x-www-form-urlencoded", body: form),
          Call(
            method: "POST", target: "/2/tweets", type: "application/x-www-form-urlencoded", body: form, place: "body"),
        ], on: sandbox)
      #expect(responses.map(\.status) == [400, 400], "\(responses)")
    }
  }

  @Test("Wrong secrets are refused")
  func refused() async throws {
    try await withSandbox { (sandbox) async throws in
      let responses = try await perform(
        [
          Call(target: "/2/users/me", keys: ["consumer_secret": "wrong"]),
          Call(target: "/2/users/me", keys: ["token_secret": "wrong"]),
          Call(target: "/2/users/me", keys: ["consumer_key": "wrong"]),
          Call(target: "/2/users/me", keys: ["token": "wrong"]),
        ], on: sandbox)
      #expect(responses.map(\.status) == [401, 401, 401, 401])
      #expect(
        responses.map { $0.body["sandbox"]?["reason"]?.string ?? "" }
          == ["signature_invalid", "signature_invalid", "consumer_key_unknown", "token_rejected"])
    }
  }

  @Test("Forms with unusual characters are signed alike and arrive unchanged")
  func formsOfV1() async throws {
    let texts = [
      "a & b = c + d % e", "!'()*~-._", "über naïve 東京 👩‍👩‍👧", "100%41 and %2B", "line\nbreak\ttab", "\"quotes\" \\ /?#[]@",
      "=&=&", "+", "ends with %", "; , : $",
    ]
    try await withSandbox { (sandbox) async throws in
      let type = "application/x-www-form-urlencoded"
      var calls = texts.map {
        Call(method: "POST", target: "/1.1/statuses/update.json", type: type, form: ["status": .string($0)])
      }
      calls.append(
        Call(
          method: "POST", target: "/1.1/saved_searches/create.json?x=a%20b&x=%7E", type: type,
          form: ["query": "a+b", "a": "", "A": "1"]))
      calls.append(Call(target: "/1.1/search/tweets.json?q=%22a%20%26%20b%22+from%3Aalice"))
      let responses = try await perform(calls, on: sandbox)
      #expect(responses.map(\.status) == Array(repeating: 200, count: calls.count), "\(responses)")
      try #require(responses.count == calls.count)
      let escaped = texts.map { $0.replacing("&", with: "&amp;") }
      #expect(responses.prefix(texts.count).map { $0.body["text"]?.string } == escaped)
      #expect(responses[texts.count].body["query"] == "a+b")
      #expect(responses[texts.count + 1].body["statuses"]?.elements.map { $0["text"]?.string } == [escaped[0]])
    }
  }
}
