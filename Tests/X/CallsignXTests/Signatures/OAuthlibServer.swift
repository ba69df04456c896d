import ChildProcesses
import Foundation
import TestSupport

/// A server in Python. `oauthlib`, which shares no code with this project, verifies the requests.
///
/// `@unchecked Sendable`: nothing changes after `init`, and the process is only ended.
final class OAuthlibServer: @unchecked Sendable {
  enum Failure: Error { case didNotStart(String) }

  let url: String
  private let process = Process()
  private let input = Pipe.forChildProcess()

  /// Starts a server, passes it on, and always ends it.
  static func with(_ body: (OAuthlibServer) async throws -> Void) async throws {
    let server = try await withCheckedThrowingContinuation { continuation in
      // Starting it blocks, which the concurrency pool's few threads must not.
      Thread.detachNewThread { continuation.resume(with: Result { try OAuthlibServer() }) }
    }
    defer { server.stop() }
    try await body(server)
  }

  /// Blocks until the server listens. It ends when its standard input does, so it cannot outlive the tests.
  private init() throws {
    let output = Pipe.forChildProcess()
    process.executableURL = Python.interpreter
    process.arguments = ["-c", Self.program]
    process.standardInput = input
    process.standardOutput = output
    try process.start()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      kill(process.processIdentifier, SIGKILL)
      throw Failure.didNotStart(line)
    }
    url = "http://127.0.0.1:\(port)"
  }

  private func stop() {
    // A child inherits the blocked signals of the thread that starts it, so nothing less is sure to arrive.
    kill(process.processIdentifier, SIGKILL)
  }

  /// Responds to each request with whether its signature is valid, and with the parameters as oauthlib reads them.
  private static let program = #"""
    import json, os, sys, threading
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from urllib.parse import parse_qsl, urlsplit, unquote
    from oauthlib.oauth1 import RequestValidator, SignatureOnlyEndpoint

    class Validator(RequestValidator):
        enforce_ssl = False
        client_key_length = (1, 100)
        nonce_length = (1, 100)
        safe_characters = set(map(chr, range(0x20, 0x7f)))
        seen = set()
        lock = threading.Lock()
        def get_client_secret(self, client_key, request): return "c&nsumer s%cret +"
        def get_access_token_secret(self, client_key, token, request): return "t=ken/secret ü"
        def validate_client_key(self, client_key, request): return client_key == "consumer-key"
        def validate_timestamp_and_nonce(self, client_key, timestamp, nonce, request, request_token=None, access_token=None):
            with self.lock:
                is_new = nonce not in self.seen
                self.seen.add(nonce)
                return is_new

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        endpoint = SignatureOnlyEndpoint(Validator())
        def handle_any(self):
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length).decode()
            uri = "http://127.0.0.1:%d%s" % (self.server.server_port, self.path)
            problem = None
            try:
                valid, request = self.endpoint.validate_request(uri, self.command, body, dict(self.headers))
            except Exception as error:
                valid, problem = False, repr(error)
            parts = urlsplit(self.path)
            is_form = (self.headers.get("Content-Type") or "").startswith("application/x-www-form-urlencoded")
            response = json.dumps({
                "valid": valid, "problem": problem, "method": self.command, "path": unquote(parts.path),
                "query": parse_qsl(parts.query, keep_blank_values=True),
                "form": parse_qsl(body, keep_blank_values=True) if is_form else [],
                "body": body, "has_token": "oauth_token=" in (self.headers.get("Authorization") or "")}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(response)))
            self.end_headers()
            if self.command != "HEAD": self.wfile.write(response)
        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_any
        def log_message(self, *arguments): pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    def wait():
        sys.stdin.read()
        os._exit(0)
    threading.Thread(target=wait, daemon=True).start()
    server.serve_forever()
    """#
}
