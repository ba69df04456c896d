"""An OAuth 2.0 provider built on authlib, which owes nothing to this project: PKCE with S256 is required, refresh tokens
are good for one use, and both kinds of tokens can be revoked.

Prints its port, and ends when its standard input does. /control changes how it behaves and tells what it has seen.
"""

import json
import os
import sys
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.common.security import generate_token
from authlib.oauth2.rfc6749 import (
    AuthorizationCodeMixin, AuthorizationServer, ClientMixin, OAuth2Payload, OAuth2Request, TokenMixin, grants,
    list_to_scope, scope_to_list)
from authlib.oauth2.rfc6749.errors import OAuth2Error
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc9207 import IssuerParameter

SCOPES = "tweet.read tweet.write users.read offline.access"


class Client(ClientMixin):
    def __init__(self, client_id, secret, methods):
        self.client_id, self.secret, self.methods = client_id, secret, methods

    def get_client_id(self): return self.client_id
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope):
        allowed = set(SCOPES.split())
        return list_to_scope([s for s in scope_to_list(scope or "") if s in allowed])
    def check_redirect_uri(self, uri): return uri in control["redirect_uris"]
    def check_client_secret(self, secret): return self.secret is not None and secret == self.secret
    def check_endpoint_auth_method(self, method, endpoint): return method in self.methods
    def check_response_type(self, response_type): return response_type == "code"
    def check_grant_type(self, grant_type): return True


class Code(AuthorizationCodeMixin):
    def __init__(self, **values): self.__dict__.update(values)
    def get_redirect_uri(self): return self.redirect_uri
    def get_scope(self): return self.scope


class Token(TokenMixin):
    def __init__(self, client_id, values):
        self.client_id = client_id
        self.access = values["access_token"]
        self.refresh = values.get("refresh_token")
        self.scope = values.get("scope", "")
        self.expires = time.time() + values.get("expires_in", 3600)
        self.access_revoked = self.refresh_revoked = False
        self.parent = None

    def check_client(self, client): return client.client_id == self.client_id
    def get_scope(self): return self.scope
    def get_expires_in(self): return max(0, int(self.expires - time.time()))
    def is_expired(self): return self.expires < time.time()
    def is_revoked(self): return self.access_revoked
    def get_user(self): return "alice"
    def get_client(self): return clients[self.client_id]


lock = threading.RLock()
clients = {
    "public": Client("public", None, ["none"]),
    "confidential & co": Client("confidential & co", "s%cret: +/=ü", ["client_secret_basic"]),
    "posting": Client("posting", "secret-in-body", ["client_secret_post"]),
}
codes, tokens, spent = {}, [], set()
control = {
    "redirect_uris": ["myapp://login", "com.example.app:/login"],
    # Seconds until a token request is looked at, and until it gets a response.
    "delay_before": 0, "delay_after": 0,
    # Whether a refresh token stays good until its successor is used.
    "grace": False,
    "expires_in": 7200,
    # Responses in place of the true ones: [status, content type, body], one for each request.
    "token_responses": [],
    "issuer": None,
}
seen = defaultdict(int)
requests_seen = []


class Payload(OAuth2Payload):
    def __init__(self, pairs):
        self._list = defaultdict(list)
        for name, value in pairs: self._list[name].append(value)

    @property
    def data(self): return {name: values[0] for name, values in self._list.items()}
    @property
    def datalist(self): return self._list


class Request(OAuth2Request):
    def __init__(self, method, uri, headers, query, form):
        super().__init__(method, uri, headers=headers)
        self._query, self._form = dict(query), dict(form)
        self.payload = Payload(query + form)

    @property
    def args(self): return self._query
    @property
    def form(self): return self._form


class Server(AuthorizationServer):
    def query_client(self, client_id): return clients.get(client_id)
    def save_token(self, token, request):
        kept = Token(request.client.client_id, token)
        kept.parent = request.refresh_token
        tokens.append(kept)
    def create_oauth2_request(self, request): return request
    def send_signal(self, name, *arguments, **named): pass
    def handle_response(self, status, body, headers): return status, body, headers


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def save_authorization_code(self, code, request):
        payload = request.payload
        codes[code] = Code(
            code=code, client_id=payload.client_id, redirect_uri=payload.redirect_uri, scope=payload.scope,
            code_challenge=payload.data.get("code_challenge"),
            code_challenge_method=payload.data.get("code_challenge_method"))
    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id else None
    def delete_authorization_code(self, code): codes.pop(code.code, None)
    def authenticate_user(self, code): return "alice"


class S256(CodeChallenge):
    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"

    def validate_code_challenge(self, grant, redirect_uri):
        super().validate_code_challenge(grant, redirect_uri)
        # authlib itself asks this of public clients alone.
        if not grant.request.payload.data.get("code_challenge"): raise OAuth2Error("no code_challenge")


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        for token in tokens:
            if token.refresh == text and not token.refresh_revoked:
                if token.parent is not None: token.parent.refresh_revoked = True
                return token
    def authenticate_user(self, token): return "alice"
    def revoke_old_credential(self, token):
        if not control["grace"]: token.refresh_revoked = True
        token.access_revoked = True


class AppGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def query_token(self, text, hint):
        for token in tokens:
            if text in (token.access, token.refresh): return token
    def revoke_token(self, token, request):
        token.access_revoked = True
        if request.form["token"] == token.refresh: token.refresh_revoked = True


class Issuer(IssuerParameter):
    def get_issuer(self): return control["issuer"]


server = Server()
server.register_grant(CodeGrant, [S256(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(AppGrant)
server.register_endpoint(Revocation)
server.register_token_generator("default", BearerTokenGenerator(
    lambda *a, **k: generate_token(42), lambda *a, **k: generate_token(48),
    lambda *a, **k: control["expires_in"]))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def read_request(self):
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        query = parse_qsl(parts.query, keep_blank_values=True)
        is_form = (self.headers.get("Content-Type") or "").startswith("application/x-www-form-urlencoded")
        form = parse_qsl(body, keep_blank_values=True) if is_form else []
        uri = "http://127.0.0.1:%d%s" % (self.server.server_port, self.path)
        return parts.path, body, Request(self.command, uri, dict(self.headers), query, form)

    def response(self, status, body=b"", headers=()):
        if isinstance(body, (dict, list)): body = json.dumps(body)
        if isinstance(body, str): body = body.encode()
        self.send_response(status)
        for name, value in headers:
            if name.lower() != "content-length": self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self):
        path, body, request = self.read_request()
        name = path.strip("/").split("/")[-1]
        if name == "control": return self.control(body)
        with lock:
            seen[name] += 1
            if request.form.get("grant_type"): seen[request.form["grant_type"]] += 1
            requests_seen.append({"path": path, "form": request.form, "query": dict(request.args)})
        handler = getattr(self, "serve_" + name, None)
        if handler is None: return self.response(404, {"error": "not_found"})
        handler(request)

    def serve_authorize(self, request):
        """The person allows everything, unless they are told otherwise: `decision` of the query."""
        with lock:
            try:
                grant = server.get_consent_grant(request, "alice")
                user = None if request.args.get("decision") == "deny" else "alice"
                status, body, headers = server.create_authorization_response(request, grant_user=user, grant=grant)
                # authlib wants a framework's response to add the issuer to.
                response = SimpleNamespace(location=dict(headers).get("Location"))
                Issuer().add_issuer_parameter(server, response)
                self.response(status, body, [("Location", response.location)])
            except OAuth2Error as error:
                self.response(*server.handle_error_response(request, error))

    def serve_token(self, request):
        time.sleep(control["delay_before"])
        with lock:
            if control["token_responses"]:
                status, kind, text = control["token_responses"].pop(0)
                return self.response(status, text, [("Content-Type", kind)])
            result = server.create_token_response(request)
            seen["token_status_%d" % result[0]] += 1
        time.sleep(control["delay_after"])
        self.response(*result)

    def serve_revoke(self, request):
        with lock: self.response(*server.create_endpoint_response("revocation", request))

    def serve_me(self, request):
        text = (self.headers.get("Authorization") or "")[7:]
        with lock:
            good = [t for t in tokens if t.access == text and not t.is_revoked() and not t.is_expired()]
            seen["me_%d" % (200 if good else 401)] += 1
        if good: return self.response(200, {"user": "alice", "scope": good[0].scope})
        self.response(401, {"title": "Unauthorized"}, [("WWW-Authenticate", 'Bearer error="invalid_token"')])

    def control(self, body):
        changes = json.loads(body or "{}")
        with lock:
            if changes.pop("expire_access_tokens", False):
                for token in tokens: token.access_revoked = True
            if changes.pop("revoke_refresh_tokens", False):
                for token in tokens: token.refresh_revoked = True
            control.update(changes)
            self.response(200, {
                "seen": seen, "requests": requests_seen,
                "tokens": [
                    {"access": t.access, "refresh": t.refresh, "accessIsGood": not t.is_revoked(),
                     "refreshIsGood": not t.refresh_revoked} for t in tokens]})

    do_GET = do_POST = handle_any
    def log_message(self, *arguments): pass


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024


listener = Listener(("127.0.0.1", 0), Handler)
print(listener.server_port, flush=True)


def wait():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=wait, daemon=True).start()
listener.serve_forever()
