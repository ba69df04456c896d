import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("v1.1: oauthlib as the client", .needs(.python(with: "oauthlib")))
struct OAuthlibTestsV1 {
  private static let program = """
    import json, sys, urllib.request, urllib.error
    from urllib.parse import urlencode
    from oauthlib.oauth1 import Client
    setup = json.load(sys.stdin)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    answers = []
    for call in setup['calls']:
        client = Client(*setup['keys'][:2], resource_owner_key=setup['keys'][2],
                        resource_owner_secret=setup['keys'][3])
        body = urlencode(call['form']) if 'form' in call else None
        headers = {'Content-Type': 'application/x-www-form-urlencoded'} if body is not None else {}
        url, headers, body = client.sign(setup['url'] + call['target'], http_method=call['method'],
                                         body=body, headers=headers)
        request = urllib.request.Request(url, data=body.encode() if body else None, headers=headers,
                                         method=call['method'])
        try:
            with opener.open(request) as answer: answers.append([answer.status, json.loads(answer.read())])
        except urllib.error.HTTPError as error: answers.append([error.code, json.loads(error.read())])
    json.dump(answers, sys.stdout)
    """

  @Test("Forms with odd characters are signed alike, and arrive as they were meant")
  func forms() async throws {
    let texts = [
      "a & b = c + d % e", "!'()*~-._", "über naïve 東京 👩‍👩‍👧", "100%41 and %2B", "line\nbreak\ttab", "\"quotes\" \\ /?#[]@",
      "=&=&", "+", "ends with %", "; , : $",
    ]
    try await withSandbox { (sandbox) async throws in
      let user = sandbox.users.alice
      var calls: [JSON] = texts.map {
        ["method": "POST", "target": "/1.1/statuses/update.json", "form": ["status": .string($0)]]
      }
      calls.append([
        "method": "POST", "target": "/1.1/saved_searches/create.json?x=a%20b&x=%7E",
        "form": ["query": "a+b", "a": "", "A": "1"],
      ])
      calls.append(["method": "GET", "target": "/1.1/search/tweets.json?q=%22a%20%26%20b%22+from%3Aalice"])
      let input: JSON = [
        "url": .string(sandbox.url.absoluteString), "calls": .array(calls),
        "keys": [
          .string(sandbox.app.consumerKey), .string(sandbox.app.consumerSecret), .string(user.accessToken),
          .string(user.accessTokenSecret),
        ],
      ]
      let output = try JSON(parsing: try await onThread { try Python.run(Self.program, input: input.bytes) })
      let answers = output.elements.map(\.elements)
      #expect(answers.map(\.first) == Array(repeating: 200, count: calls.count), "\(output)")
      try #require(answers.count == calls.count)
      #expect(answers.prefix(texts.count).map { $0[1]["text"]?.string } == texts)
      #expect(answers[texts.count][1]["query"] == "a+b")
      #expect(answers[texts.count + 1][1]["statuses"]?.elements.map { $0["text"]?.string } == [texts[0]])
    }
  }
}
