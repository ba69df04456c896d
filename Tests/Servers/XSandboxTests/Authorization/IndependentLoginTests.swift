import Foundation
import TestSupport
import Testing

@testable import XSandbox

/// Clients that owe nothing to this project log in: `oauthlib` signs, `authlib` speaks OAuth 2.0, and its HTML parser
/// reads the pages.
@Suite("Logins by independent clients")
struct IndependentLoginTests {
  /// A browser that fills in the form of a page.
  private static let browser = """
    import json, sys, urllib.parse, urllib.request, urllib.error, html.parser
    setup = json.load(sys.stdin)
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments): return None
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay)
    def send(url, method='GET', body=None, headers={}):
        data = body.encode() if body is not None else None
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            with opener.open(request) as response: return response.status, dict(response.headers), response.read().decode()
        except urllib.error.HTTPError as error: return error.code, dict(error.headers), error.read().decode()
    class Form(html.parser.HTMLParser):
        action = None; kinds = {}; fields = {}; code = ''; inCode = False
        def handle_starttag(self, tag, attributes):
            a = dict(attributes)
            if tag == 'form': self.action = a['action']
            if tag == 'code': self.inCode = True
            if tag == 'input' and 'name' in a:
                self.kinds[a['name']] = a.get('type', 'text')
                if a.get('type') != 'submit': self.fields[a['name']] = a.get('value', '')
        def handle_endtag(self, tag): self.inCode = self.inCode and tag != 'code'
        def handle_data(self, data): self.code += data if self.inCode else ''
    def allow(url):
        status, _, text = send(url)
        assert status == 200, (status, text)
        form = Form(); form.feed(text)
        fields = dict(form.fields)
        for name, kind in form.kinds.items():
            if kind == 'text': fields[name] = 'bob'
            if kind == 'password': fields[name] = setup['password']
        status, headers, text = send(urllib.parse.urljoin(url, form.action), 'POST', urllib.parse.urlencode(fields),
                                     {'Content-Type': 'application/x-www-form-urlencoded'})
        page = Form(); page.feed(text)
        return headers.get('Location'), page.code

    """

  private static let oauth1 =
    browser + """
      from oauthlib.oauth1 import Client
      base = setup['url']
      keys = dict(client_secret=setup['consumer_secret'])
      def step(client, path, method='POST'):
          url, headers, body = client.sign(base + path, http_method=method)
          status, _, text = send(url, method, body, headers)
          assert status == 200, (status, text)
          return text
      results = []
      for callback in ['http://127.0.0.1:8765/callback', 'oob']:
          first = dict(urllib.parse.parse_qsl(step(Client(setup['consumer_key'], callback_uri=callback, **keys), '/oauth/request_token')))
          assert first['oauth_callback_confirmed'] == 'true'
          location, pin = allow(base + '/oauth/authorize?oauth_token=' + first['oauth_token'])
          response = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query)) if location else {}
          second = dict(urllib.parse.parse_qsl(step(Client(
              setup['consumer_key'], resource_owner_key=first['oauth_token'], resource_owner_secret=first['oauth_token_secret'],
              verifier=response.get('oauth_verifier', pin), **keys), '/oauth/access_token')))
          me = step(Client(setup['consumer_key'], resource_owner_key=second['oauth_token'],
                           resource_owner_secret=second['oauth_token_secret'], **keys), '/2/users/me', 'GET')
          results.append([second['screen_name'], json.loads(me)['data']['username']])
      json.dump(results, sys.stdout)
      """

  private static let oauth2 =
    browser + """
      from authlib.integrations.requests_client import OAuth2Session
      from authlib.common.security import generate_token
      base = setup['url']
      results = []
      for who in setup['clients']:
          method = 'client_secret_basic' if who.get('secret') else 'none'
          client = OAuth2Session(
              client_id=who['id'], client_secret=who.get('secret'), token_endpoint_auth_method=method,
              scope='tweet.read users.read offline.access', redirect_uri='http://127.0.0.1:8765/callback',
              code_challenge_method='S256', revocation_endpoint_auth_method=method)
          client.trust_env = False
          verifier = generate_token(48)
          url, state = client.create_authorization_url(base + '/i/oauth2/authorize', code_verifier=verifier)
          location, _ = allow(url)
          token = client.fetch_token(base + '/2/oauth2/token', authorization_response=location, state=state,
                                     code_verifier=verifier)
          refreshed = client.refresh_token(base + '/2/oauth2/token', refresh_token=token['refresh_token'])
          me = send(base + '/2/users/me', headers={'Authorization': 'Bearer ' + refreshed['access_token']})[2]
          revoked = client.revoke_token(base + '/2/oauth2/revoke', token=refreshed['refresh_token'])
          after = send(base + '/2/users/me', headers={'Authorization': 'Bearer ' + refreshed['access_token']})[0]
          results.append([token['scope'], json.loads(me)['data']['username'], revoked.status_code, after])
      json.dump(results, sys.stdout)
      """

  private func run(_ program: String, _ setup: [String: JSON]) async throws -> JSON {
    try JSON(parsing: try await onThread { try Python.run(program, input: JSON.object(setup).bytes) })
  }

  @Test(
    "oauthlib logs in with a callback and with a PIN", .needs(.python(with: "oauthlib")))
  func withOAuthlib() async throws {
    try await withSandbox { (sandbox) async throws in
      let app = await sandbox.makeApp()
      let results = try await run(
        Self.oauth1,
        [
          "url": .string(sandbox.url.absoluteString), "password": .string(sandbox.users.bob.password),
          "consumer_key": .string(app.consumerKey), "consumer_secret": .string(app.consumerSecret),
        ])
      #expect(results == [["bob", "bob"], ["bob", "bob"]])
    }
  }

  @Test(
    "authlib logs in with PKCE, as a confidential and as a public client",
    .needs(.python(with: "authlib.integrations.requests_client")))
  func withAuthlib() async throws {
    try await withSandbox { (sandbox) async throws in
      let open = await sandbox.makeApp(.init(isConfidential: false))
      let results = try await run(
        Self.oauth2,
        [
          "url": .string(sandbox.url.absoluteString), "password": .string(sandbox.users.bob.password),
          "clients": [
            ["id": .string(sandbox.app.clientID), "secret": .string(sandbox.app.clientSecret ?? "")],
            ["id": .string(open.clientID)],
          ],
        ])
      let expected: JSON = ["tweet.read users.read offline.access", "bob", 200, 401]
      #expect(results == .array([expected, expected]))
    }
  }
}
