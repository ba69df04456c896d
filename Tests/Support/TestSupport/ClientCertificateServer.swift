import Foundation

/// Certificates made for one run, and servers that want to see one.
package enum ClientCertificateServer {
  /// In a folder: an authority `ca.pem`, a server's `cert.pem` and `key.pem`, and clients' certificates in several forms:
  /// `client.pem`, `client.key`, `client-encrypted.key`, `client-both.pem`, `client.p12`, `other.pem`, `other.key`. The
  /// password is `key-password-1`; `empty.p12` has the empty one, and `unlocked.p12` none, which is not the same.
  package static func makeCertificates() async throws -> URL {
    let folder = try ServerProcess.makeFolder()
    func openssl(_ arguments: String...) async throws { try await ServerProcess.run("openssl", arguments, in: folder) }
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try await ServerProcess.run(
      "openssl",
      ["req", "-x509"] + curve + ["-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test CA"],
      in: folder)
    try Data("subjectAltName=IP:127.0.0.1,DNS:localhost\n".utf8).write(to: folder.appendingPathComponent("extensions"))
    for (certificate, key, name) in [
      ("cert.pem", "key.pem", "server"), ("client.pem", "client.key", "client-1"),
      ("other.pem", "other.key", "client-2"),
    ] {
      try await ServerProcess.run(
        "openssl", ["req"] + curve + ["-keyout", key, "-out", "request.pem", "-subj", "/CN=\(name)"], in: folder)
      try await openssl(
        "x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
        certificate, "-days", "2", "-extfile", "extensions")
    }
    let password = "pass:key-password-1"
    try await openssl("ec", "-in", "client.key", "-aes256", "-passout", password, "-out", "client-legacy.key")
    try await openssl("pkcs8", "-topk8", "-in", "client.key", "-passout", password, "-out", "client-encrypted.key")
    try await openssl(
      "pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-certfile", "ca.pem", "-passout", password,
      "-out", "client.p12")
    try await openssl(
      "pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-passout", "pass:", "-out", "empty.p12")
    try await openssl(
      "pkcs12", "-export", "-nokeys", "-in", "client.pem", "-passout", password, "-out", "keyless.p12")
    try await ServerProcess.run("python3", ["-c", withoutPassword], in: folder)
    let both =
      try Data(contentsOf: folder.appendingPathComponent("client.pem"))
      + Data(contentsOf: folder.appendingPathComponent("client.key"))
    try both.write(to: folder.appendingPathComponent("client-both.pem"))
    return folder
  }

  /// Makes `unlocked.p12`. The command line has no way to give no password.
  private static let withoutPassword = """
    import ctypes, ctypes.util
    crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
    for name in ["BIO_new_file", "PEM_read_bio_X509", "PEM_read_bio_PrivateKey", "PKCS12_create"]:
      getattr(crypto, name).restype = ctypes.c_void_p
    def pointer(value):
      assert value, "libcrypto failed"
      return ctypes.c_void_p(value)
    def opened(name, mode): return pointer(crypto.BIO_new_file(name, mode))
    certificate = pointer(crypto.PEM_read_bio_X509(opened(b"client.pem", b"r"), None, None, None))
    key = pointer(crypto.PEM_read_bio_PrivateKey(opened(b"client.key", b"r"), None, None, None))
    file = pointer(crypto.PKCS12_create(None, None, key, certificate, None, 0, 0, 0, 0, 0))
    out = opened(b"unlocked.p12", b"w")
    assert crypto.i2d_PKCS12_bio(out, file) == 1
    crypto.BIO_free_all(out)
    """

  /// A server whose handshake fails without a certificate, or that wants none and counts.
  package static func startPython(_ folder: URL) async throws -> ServerProcess {
    let script = """
      import http.server, ssl, os, sys, socket, threading, json
      class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def do_GET(self):
          length = int(self.headers.get("Content-Length") or 0)
          self.rfile.read(length)
          certificate = self.connection.getpeercert()
          body = json.dumps({"shown": bool(certificate)}).encode()
          self.send_response(200)
          self.send_header("Content-Type", "application/json")
          self.send_header("Content-Length", str(len(body)))
          self.end_headers()
          self.wfile.write(body)
        do_POST = do_GET
        def log_message(self, *arguments): pass
      class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, request, address):
          # What is unread when a socket is closed makes the system drop what was sent: here the alert.
          try:
            rest = socket.socket(fileno=os.dup(request.fileno()))
            rest.shutdown(socket.SHUT_WR)
            rest.settimeout(10)
            while rest.recv(4096): pass
          except OSError: pass
      server = Server(("127.0.0.1", 0), Handler)
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain("cert.pem", "key.pem")
      context.load_verify_locations("ca.pem")
      context.verify_mode = ssl.CERT_REQUIRED if sys.argv[1] == "required" else ssl.CERT_OPTIONAL
      server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
      print(server.server_address[1], flush=True)
      def wait():
        sys.stdin.read()
        os._exit(0)
      threading.Thread(target=wait, daemon=True).start()
      server.serve_forever()
      """
    return try await ServerProcess.start("python3", ["-c", script, "required"], in: folder)
  }
}
