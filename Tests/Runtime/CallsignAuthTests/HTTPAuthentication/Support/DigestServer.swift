import TestSupport

/// A server in Python that checks digests by the RFC, without code of this project. The first part of the path selects its
/// behaviour; each path has its own state.
enum DigestServer {

  static func start() async throws -> ServerProcess {
    try await ServerProcess.start("python3", ["-c", program])
  }

  /// - `/plain/…`: MD5, auth. `/sha/…`, `/sess/…`, `/shasess/…`: the other algorithms. `/int/…`: auth-int alone;
  ///   `/both/…`: auth and auth-int. `/old/…`: without qop. `/userhash/…`, `/utf8/…`. `/once/…`: each nonce is good for
  ///   one request, and the next is announced. `/short/…`: each is good for two, then stale. `/forgetful/…`: the same,
  ///   without saying stale. `/single/…`: each is good for one and none is announced, which is said to be stale;
  ///   `/silent/…`: the same, without saying stale. `/several/…`: Basic, MD5 and SHA-256 in one field. `/lines/…`: in several. `/domain/…`:
  ///   covers `/domain/a` and `/domain/b` alone. `/basic/…`: Basic alone. `/sha512/…`: an algorithm unknown here.
  ///   `/proof/…`: with a proof that the server knows the password; `/forged/…`: with a wrong one.
  /// - Any of these with `/fresh` behind it: may be kept for a minute; with `/tagged`: has an `ETag`, and gets 304.
  /// - `GET /log`: what arrived, as JSON.
  private static let program = #"""
    import base64, hashlib, json, os, re, sys, threading
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from urllib.parse import unquote

    USERS = {"Mufasa": "Circle of Life", "Jäsøn Doe": "Secret, or not?", 'quo"te\\d': "p:w"}
    REALM = 'the "realm" of \\ tests'
    lock = threading.Lock()
    nonces = {}
    log = []

    def H(algorithm, data):
        if isinstance(data, str): data = data.encode()
        return (hashlib.md5 if algorithm.startswith("MD5") else hashlib.sha256)(data).hexdigest()

    def quote(text): return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def parameters(text):
        found = {}
        for match in re.finditer(r'([A-Za-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))(?:,\s*|$)', text):
            name, quoted, bare = match.groups()
            assert name not in found, "twice: " + name
            found[name] = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare
            if name in ("algorithm", "qop", "nc", "userhash", "username*"): assert bare is not None, name + " is quoted"
            else: assert quoted is not None, name + " is not quoted"
        return found

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def new_nonce(self, algorithm):
            with lock:
                nonce = base64.b64encode(os.urandom(18)).decode()
                nonces[nonce] = {"algorithm": algorithm, "counts": set(), "session": None}
                return nonce

        def challenge(self, kind, stale=False):
            algorithms = {"sha": ["SHA-256"], "sess": ["MD5-sess"], "shasess": ["SHA-256-sess"],
                          "several": ["MD5", "SHA-256"], "lines": ["MD5", "SHA-256"], "userhash": ["SHA-256"],
                          "utf8": ["SHA-256"], "int": ["SHA-256"], "both": ["MD5"], "sha512": ["SHA-512-256"],
                          "plain": ["MD5"]}.get(kind, [None])
            result = []
            for algorithm in algorithms:
                parts = ["realm=" + quote(REALM), "nonce=" + quote(self.new_nonce(algorithm or "MD5"))]
                if kind != "old":
                    parts.append('qop="%s"' % {"int": "auth-int", "both": "auth, auth-int"}.get(kind, "auth"))
                if algorithm: parts.append("algorithm=" + algorithm)
                parts.append("opaque=" + quote('op"aque'))
                if kind == "userhash": parts.append("userhash=true")
                if kind in ("userhash", "utf8"): parts.append("charset=UTF-8")
                if kind == "domain": parts.append('domain="/domain/a http://%s/domain/b"' % self.headers["Host"])
                if stale: parts.append("stale=TRUE")
                result.append("Digest " + ", ".join(parts))
            if kind in ("several", "lines"): result.insert(0, 'Basic realm="x, Digest y=\\"z\\""')
            if kind == "basic": result = ['Basic realm="x"']
            return result

        def verify(self, kind, body):
            """The failure in words, and whether it is but the nonce."""
            header = self.headers.get("Authorization")
            if header is None: return "nothing", False
            if not header.startswith("Digest "): return "another scheme", False
            p = parameters(header[7:])
            if p.get("realm") != REALM: return "realm", False
            if p.get("opaque") != 'op"aque': return "opaque", False
            if p.get("uri") != self.path: return "uri", False
            with lock: state = nonces.get(p.get("nonce"))
            if state is None: return "unknown nonce", False
            algorithm = p.get("algorithm", "MD5")
            if algorithm != state["algorithm"]: return "algorithm", False
            name = None
            for user in USERS:
                if kind == "userhash":
                    if p.get("userhash") == "true" and p.get("username") == H(algorithm, user + ":" + REALM): name = user
                elif "username*" in p:
                    if kind != "utf8": return "username* was not asked for", False
                    charset, _, value = p["username*"].split("'", 2)
                    if charset.upper() == "UTF-8" and unquote(value) == user: name = user
                elif p.get("username", "").encode("latin-1").decode() == user: name = user
            if name is None: return "username", False
            A1 = H(algorithm, "%s:%s:%s" % (name, REALM, USERS[name]))
            if algorithm.endswith("-sess"):
                if state["session"] is None: state["session"] = H(algorithm, A1 + ":" + p["nonce"] + ":" + p["cnonce"])
                A1 = state["session"]
            A2 = self.command + ":" + p["uri"]
            if p.get("qop") == "auth-int": A2 += ":" + H(algorithm, body)
            if kind == "old":
                if "qop" in p or "nc" in p: return "qop was not offered", False
                expected = H(algorithm, A1 + ":" + p["nonce"] + ":" + H(algorithm, A2))
            else:
                if p.get("qop") not in {"int": ["auth-int"], "both": ["auth", "auth-int"]}.get(kind, ["auth"]):
                    return "qop", False
                if not re.fullmatch("[0-9a-f]{8}", p.get("nc", "")): return "nc", False
                expected = H(algorithm, ":".join([A1, p["nonce"], p["nc"], p["cnonce"], p["qop"], H(algorithm, A2)]))
            if p.get("response") != expected: return "response", False
            if "qop" in p:
                self.proof = H(algorithm, ":".join([A1, p["nonce"], p["nc"], p["cnonce"], p["qop"],
                                                    H(algorithm, ":" + p["uri"])]))
            with lock:
                if kind != "old":
                    if p["nc"] in state["counts"]: return "nc was used before", False
                    state["counts"].add(p["nc"])
                limit = {"once": 1, "single": 1, "silent": 1, "short": 2, "forgetful": 2}.get(kind)
                if limit and len(state["counts"]) > limit: return "old nonce", True
            return None, False

        def handle_any(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("Transfer-Encoding") == "chunked":
                while (size := int(self.rfile.readline(), 16)) > 0:
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
            if self.path == "/log": return self.reply(200, [], json.dumps(log).encode())
            kind = self.path.split("/")[1].split("?")[0]
            try: failure, is_stale = self.verify(kind, body)
            except Exception as error: failure, is_stale = repr(error), False
            header = self.headers.get("Authorization") or ""
            with lock: log.append({"path": self.path, "failure": failure or "", "authorization": header,
                                   "scheme": header.split(" ")[0], "body": len(body)})
            if failure is not None:
                is_stale = is_stale and kind not in ("forgetful", "silent")
                challenges = self.challenge(kind, is_stale)
                joined = challenges if kind == "lines" else [", ".join(challenges)]
                return self.reply(401, [("WWW-Authenticate", text) for text in joined], b"{}")
            extra = []
            if kind == "once": extra = [("Authentication-Info", 'qop=auth, nextnonce="%s"' % self.new_nonce("MD5"))]
            if kind == "proof": extra = [("Authentication-Info", 'qop=auth, rspauth="%s"' % self.proof)]
            if kind == "forged": extra = [("Authentication-Info", 'qop=auth, rspauth="%s"' % self.proof[::-1])]
            if "/fresh" in self.path: extra.append(("Cache-Control", "max-age=60"))
            if "/tagged" in self.path:
                extra.append(("ETag", '"v1"'))
                if self.headers.get("If-None-Match") == '"v1"': return self.reply(304, extra, b"")
            self.reply(200, extra, b"{}")

        def reply(self, status, fields, body):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            for name, value in fields: self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD": self.wfile.write(body)
        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = handle_any
        def log_message(self, *arguments): pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    def wait():
        sys.stdin.read()
        os._exit(0)
    threading.Thread(target=wait, daemon=True).start()
    server.serve_forever()
    """#
}
