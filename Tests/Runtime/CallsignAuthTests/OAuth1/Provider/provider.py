"""A provider of OAuth 1.0a in which oauthlib, which owes nothing to this project, judges every signed request.

It listens on a free port of 127.0.0.1, prints the port, and ends when its standard input does. What it does wrong on
purpose, it does for apps of that name.
"""
import base64
import hashlib
import html
import json
import os
import re
import secrets
import sys
import threading
import time
from email.utils import formatdate
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

from oauthlib.oauth1 import (
    AccessTokenEndpoint, AuthorizationEndpoint, Client, RequestTokenEndpoint, RequestValidator, ResourceEndpoint,
    SignatureOnlyEndpoint)

APP_SECRET = "c&nsumer s3cr3t %+"
APPS = ["app", "unconfirmed", "unentitled", "unentitled-xml", "consent", "html", "json", "empty", "half", "problem",
        "skewed-code", "skewed-problem", "skewed-silent", "device", "callback-refused"]
USER = {"user_id": "7588892", "screen_name": "alice"}
PASSWORD = "pass wörd&s3cr3t"
SKEW = 3600
lock = threading.Lock()
request_tokens, access_tokens, nonces, reverse_texts, sessions, log = {}, {}, set(), {}, {}, []


class Validator(RequestValidator):
    enforce_ssl = False
    safe_characters = set(map(chr, range(0x21, 0x7f)))
    client_key_length = request_token_length = access_token_length = nonce_length = verifier_length = (3, 100)
    timestamp_lifetime = 10 ** 9
    dummy_client = dummy_request_token = dummy_access_token = "dummy"

    def validate_client_key(self, client_key, request): return client_key in APPS
    def get_client_secret(self, client_key, request): return APP_SECRET
    def get_request_token_secret(self, client_key, token, request):
        return request_tokens.get(token, {}).get("secret", "dummy")
    def get_access_token_secret(self, client_key, token, request):
        return access_tokens.get(token, {}).get("secret", "dummy")
    def validate_request_token(self, client_key, token, request):
        return request_tokens.get(token, {}).get("app") == client_key
    def validate_access_token(self, client_key, token, request):
        return access_tokens.get(token, {}).get("app") == client_key
    def validate_timestamp_and_nonce(self, client_key, timestamp, nonce, request, request_token=None, access_token=None):
        with lock:
            is_new = (client_key, nonce) not in nonces
            nonces.add((client_key, nonce))
            return is_new
    def validate_verifier(self, client_key, token, verifier, request):
        return request_tokens.get(token, {}).get("verifier") == verifier
    def validate_redirect_uri(self, client_key, redirect_uri, request): return True
    def validate_requested_realms(self, client_key, realms, request): return True
    def validate_realms(self, client_key, token, request, uri=None, realms=None): return True
    def verify_realms(self, token, realms, request): return True
    def verify_request_token(self, token, request): return token in request_tokens
    def get_default_realms(self, client_key, request): return []
    def get_realms(self, token, request): return []
    def check_realms(self, realms): return True
    def get_redirect_uri(self, token, request): return request_tokens[token]["callback"]
    def invalidate_request_token(self, client_key, request_token, request): del request_tokens[request_token]
    def save_request_token(self, token, request):
        request_tokens[token["oauth_token"]] = {
            "secret": token["oauth_token_secret"], "app": request.client_key, "callback": request.redirect_uri,
            "access": dict(request.decoded_body or []).get("x_auth_access_type")}
    def save_access_token(self, token, request):
        access_tokens[token["oauth_token"]] = {"secret": token["oauth_token_secret"], "app": request.client_key}
    def save_verifier(self, token, verifier, request): request_tokens[token]["verifier"] = verifier["oauth_verifier"]


validator = Validator()


def generate():
    """What Scripts/internal/check-secrets finds where it must not be."""
    return "s3cr3t" + secrets.token_hex(12)


def issue(app):
    token, secret = USER["user_id"] + "-" + generate(), generate()
    access_tokens[token] = {"secret": secret, "app": app}
    return urlencode({"oauth_token": token, "oauth_token_secret": secret, **USER})


def errors(code, message):
    return json.dumps({"errors": [{"code": code, "message": message}]})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    skew = 0

    def response(self, status, body=b"", kind="application/x-www-form-urlencoded", **headers):
        body = (body or "").encode() if not isinstance(body, bytes) else body
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def date_time_string(self, timestamp=None): return formatdate(time.time() + self.skew, usegmt=True)
    def log_message(self, *arguments): pass

    def handle_any(self):
        self.body = self.read_body()
        self.uri = "http://127.0.0.1:%d%s" % (self.server.server_port, self.path)
        self.plain = dict(self.headers)
        parts = urlsplit(self.path)
        self.query = dict(parse_qsl(parts.query, keep_blank_values=True))
        is_form = (self.headers.get("Content-Type") or "").startswith("application/x-www-form-urlencoded")
        self.form = dict(parse_qsl(self.body.decode(), keep_blank_values=True)) if is_form else {}
        signed = dict(re.findall(r'(\w+)="([^"]*)"', self.headers.get("Authorization") or ""))
        self.oauth = {**self.query, **self.form, **signed}
        self.app = self.oauth.get("oauth_consumer_key")
        self.skew = SKEW if (self.app or "").startswith("skewed") else 0
        place = ("header" if "oauth_signature" in signed else "query" if "oauth_signature" in self.query
                 else "body" if "oauth_signature" in self.form else "none")
        log.append({"method": self.command, "path": parts.path, "query": parts.query, "place": place,
                    "cookie": self.headers.get("Cookie"), "realm": signed.get("realm")})
        routes = {
            "/oauth/request_token": self.request_token, "/oauth/access_token": self.access_token,
            "/oauth/authorize": self.authorize, "/oauth/authenticate": self.authorize,
            "/1.1/oauth/invalidate_token": self.invalidate, "/upload": self.upload, "/log": self.show_log,
            "/request_tokens": self.show_request_tokens}
        if "oauth_timestamp" in self.oauth and not self.is_timely(): return
        routes.get(parts.path, self.resource)()

    def read_body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    do_GET = do_POST = do_PUT = do_DELETE = handle_any

    def is_timely(self):
        if abs(int(self.oauth["oauth_timestamp"]) - time.time() - self.skew) < 300: return True
        if self.app == "skewed-code":
            self.response(401, errors(135, "Timestamp out of bounds."), "application/json")
        elif self.app == "skewed-problem":
            self.response(401, WWW_Authenticate='OAuth oauth_problem="timestamp_refused"')
        else:
            self.response(401)
        return False

    def text_body(self): return self.body.decode("utf-8", "replace") if self.form or not self.body else ""

    def is_signed(self):
        """Whether the signature holds, with the access token if the request names one."""
        try:
            return SignatureOnlyEndpoint(validator).validate_request(
                self.uri, self.command, self.text_body(), self.plain)[0]
        except Exception:
            return False

    def request_token(self):
        if self.form.get("x_auth_mode") == "reverse_auth":
            if not self.is_signed(): return self.response(401, "Failed to validate oauth signature and token")
            if self.app == "unentitled":
                return self.response(401, errors(87, "Client is not permitted to perform this action."), "application/json")
            client = Client(self.app, client_secret=APP_SECRET)
            _, headers, _ = client.sign("https://provider.example/oauth/access_token", "POST")
            text = headers["Authorization"]
            if self.app == "half": text = text.replace("oauth_signature=", "oauth_nothing=")
            reverse_texts[text] = self.app
            return self.response(200, text, "text/html;charset=utf-8")
        broken = {
            "html": ("<!DOCTYPE html><p>Over capacity", "text/html"), "json": ('{"ok":true}', "application/json"),
            "empty": ("", "text/html"), "half": ("oauth_token=abc&oauth_callback_confirmed=true", "text/html"),
            "problem": ("oauth_problem=consumer_key_rejected", "text/html")}
        if self.app in broken: return self.response(200, *broken[self.app])
        if self.app == "callback-refused":
            return self.response(403, errors(415, "Callback URL not approved for this client application."),
                               "application/json")
        headers, body, status = RequestTokenEndpoint(validator, generate).create_request_token_response(
            self.uri, self.command, self.text_body(), self.plain)
        if self.app == "unconfirmed": body = body.replace("confirmed=true", "confirmed=false")
        self.response(status, body, "text/html;charset=utf-8")

    def access_token(self):
        if self.form.get("x_auth_mode") == "client_auth": return self.xauth()
        if "x_reverse_auth_target" in self.form: return self.reverse()
        _, body, status = AccessTokenEndpoint(validator, generate).create_access_token_response(
            self.uri, self.command, self.text_body(), self.plain, credentials=USER)
        self.response(status, body, "text/html;charset=utf-8")

    def xauth(self):
        if not self.is_signed(): return self.response(401, "Failed to validate oauth signature and token")
        if self.app == "unentitled":
            return self.response(403, errors(87, "Client is not permitted to perform this action."), "application/json")
        if self.app == "unentitled-xml":
            return self.response(401, "<?xml version='1.0'?><hash><error>Client application is not permitted to use xAuth."
                                    "</error></hash>", "text/xml")
        if self.form.get("x_auth_username") == "careful":
            return self.response(401, errors(231, "User must verify login"), "application/json")
        if (self.form.get("x_auth_username"), self.form.get("x_auth_password")) != (USER["screen_name"], PASSWORD):
            return self.response(401, errors(32, "Could not authenticate you: " + self.form.get("x_auth_password", "")),
                               "application/json")
        self.response(200, issue(self.app), "text/html;charset=utf-8")

    def reverse(self):
        target = reverse_texts.pop(self.form.get("x_reverse_auth_parameters"), None)
        if not (self.is_signed() and access_tokens.get(self.oauth.get("oauth_token"), {}).get("app") == "device"):
            return self.response(401, errors(32, "Could not authenticate you."), "application/json")
        if target is None or target != self.form["x_reverse_auth_target"]:
            return self.response(401, "Reverse auth credentials are invalid")
        self.response(200, issue(target), "text/html;charset=utf-8")

    def invalidate(self):
        if not self.protected(): return
        del access_tokens[self.oauth["oauth_token"]]
        self.response(200, json.dumps({"access_token": "gone"}), "application/json")

    def protected(self):
        try:
            valid, _ = ResourceEndpoint(validator).validate_protected_resource_request(
                self.uri, self.command, self.text_body(), self.plain)
        except Exception as error:
            valid = False
        if not valid: self.response(401, errors(89, "Invalid or expired token."), "application/json")
        return valid

    def resource(self):
        if not self.protected(): return
        hashed = self.oauth.get("oauth_body_hash")
        function = hashlib.sha256 if self.oauth["oauth_signature_method"] == "HMAC-SHA256" else hashlib.sha1
        expected = base64.b64encode(function(self.body).digest()).decode()
        self.response(200, json.dumps({
            **USER, "body_hash": None if hashed is None else hashed.replace("%2B", "+").replace("%2F", "/")
            .replace("%3D", "=") == expected, "form": self.form, "method": self.command,
            "body": self.body.decode("utf-8", "replace")}), "application/json")

    def upload(self):
        """A third party, which asks who is calling it (OAuth Echo)."""
        headers = {"Authorization": self.headers.get("X-Verify-Credentials-Authorization") or ""}
        try:
            valid, _ = ResourceEndpoint(validator).validate_protected_resource_request(
                self.headers.get("X-Auth-Service-Provider"), "GET", None, headers)
        except Exception:
            valid = False
        self.response(200 if valid else 401, json.dumps({"valid": valid, "signed_itself": "Authorization" in self.headers}),
                    "application/json")

    def page(self, status, body, **headers):
        self.response(status, "<!DOCTYPE html><html><head><title>Authorize</title><script>'<form>'</script></head><body>"
                    "<form action='/search'><input name='q'></form>%s</body></html>" % body, "text/html", **headers)

    def login_page(self, token, note=""):
        session, guard = generate(), generate()
        sessions[session] = guard
        self.page(200, """%s<form method="POST" action="authorize?lang=en&amp;x=1">
            <input type=hidden name="authenticity_token" value='%s'><input type="hidden" name="oauth_token" value="%s">
            <input type="text" name="session[username_or_email]"><input type="password" name="session[password]">
            <input type="checkbox" name="remember_me" value="1"><input type="checkbox" name="keep" checked>
            <input type="submit" name="cancel" value="Cancel"><input type="submit" value="Authorize app" id="allow">
            </form>""" % (note, guard, html.escape(token)), Set_Cookie="session=%s; Path=/oauth; HttpOnly" % session)

    def authorize(self):
        if self.command == "GET":
            token = self.query.get("oauth_token", "")
            if token not in request_tokens: return self.page(401, "<p>This page is no longer valid.</p>")
            return self.login_page(token)
        token = self.form.get("oauth_token", "")
        session = SimpleCookie(self.headers.get("Cookie") or "").get("session")
        if session is None or sessions.get(session.value) != self.form.get("authenticity_token"):
            return self.page(403, "<p>Forged.</p>")
        if "cancel" in self.form or "deny" in self.form:
            callback = request_tokens[token]["callback"]
            return self.response(302, Location=callback + "?denied=" + token)
        if "allow" not in self.form:
            if (self.form.get("session[username_or_email]"), self.form.get("session[password]"),
                    self.form.get("keep")) != (USER["screen_name"], PASSWORD, "on"):
                return self.login_page(token, "<p>Wrong.</p>")
            if request_tokens[token]["app"] == "consent":
                self.response(200, """<html><form method=post><input type=hidden name=oauth_token value="%s">
                    <input type=hidden name=authenticity_token value="%s"><button name=deny value=1>No</button>
                    <button name=allow value=1>Yes</button></form>""" % (token, sessions[session.value]), "text/html")
                return
        headers, body, status = AuthorizationEndpoint(validator, generate).create_authorization_response(
            self.uri.split("?")[0] + "?oauth_token=" + token, "GET")
        if status == 302: return self.response(302, Location=headers["Location"])
        pin = dict(parse_qsl(body))["oauth_verifier"]
        self.page(200, '<div id="oauth_pin"><p>Next, type in the PIN:<kbd><code>%s</code></kbd></p></div>' % pin)

    def show_log(self): self.response(200, json.dumps(log), "application/json")

    def show_request_tokens(self):
        self.response(200, json.dumps([{"access": each["access"]} for each in request_tokens.values()]), "application/json")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
device = json.dumps({"port": server.server_port, "device": issue("device")})
print(device, flush=True)


def wait():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=wait, daemon=True).start()
server.serve_forever()
