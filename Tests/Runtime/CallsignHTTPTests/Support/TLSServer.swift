import ChildProcesses
import Foundation
import TestSupport

/// An authority made for this run, and servers with certificates of it. Needs `openssl` and `python3`, or nginx for HTTP/2.
///
/// `@unchecked Sendable`: nothing changes after `init`; `Process` is used only in `deinit`.
final class TLSServer: @unchecked Sendable {
  enum Kind: Equatable {
    case http1, http2
    /// Speaks HTTP/2, and responds only to the first request of each connection.
    case http2Once
    /// Speaks HTTP/2, and refuses to process its n-th request, from 1, and later ones as the refusal says. It responds with the
    /// number of the request, the protocol, and the body.
    case refusing(HTTP2Refusal, at: Int)
    /// Passes on what it decrypts to a port on loopback.
    case front(of: Int)
  }

  /// The ways that a server reports the outcome of a request over HTTP/2.
  enum HTTP2Refusal: String, CaseIterable {
    /// RST_STREAM with REFUSED_STREAM, once.
    case stream
    /// The same, for every request.
    case allStreams
    /// GOAWAY whose last stream is an earlier one, once.
    case goAway
    /// The same, and the connection is closed.
    case goAwayAndClose
    /// RST_STREAM with HTTP_1_1_REQUIRED, for every request.
    case http1
    /// GOAWAY whose last stream is the request's own, and the connection is closed: it may have been processed.
    case processed
    /// The connection is closed without a word.
    case closed
  }

  let port: Int
  let authorities: URL
  private let kind: Kind
  private let folder: URL
  private let process: Process

  /// - Parameter name: The only name in the server's certificate, as openssl writes it, such as `IP:127.0.0.1`.
  init(_ kind: Kind = .http1, name: String) throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    authorities = folder.appendingPathComponent("ca.pem")
    try Self.makeCertificates(in: folder, name: name)
    (process, port) =
      switch kind {
      case .http1: try Self.startPython(Self.responses, in: folder)
      case .http2Once: try Self.startPython(Self.firstResponses, in: folder)
      case .refusing(let refusal, let number): try Self.startPython(Self.refusals(refusal, at: number), in: folder)
      case .front(let port): try Self.startPython(Self.front(of: port), in: folder)
      case .http2: try Self.startNginx(in: folder)
      }
  }

  deinit {
    // A process that is started from a pool's thread inherits that thread's blocked signals. nginx unblocks them and must
    // end its worker; Python does not, and must be killed.
    if kind == .http2 { process.terminate() } else { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func makeCertificates(in folder: URL, name: String) throws {
    let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try Tool.run(
      "openssl",
      ["req", "-x509"] + newKey + ["-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test CA"],
      in: folder)
    try Tool.run(
      "openssl", ["req"] + newKey + ["-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=test"], in: folder)
    try Data("subjectAltName=\(name)\n".utf8).write(to: folder.appendingPathComponent("extensions"))
    try Tool.run(
      "openssl",
      [
        "x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
        "cert.pem",
      ]
        + ["-days", "2", "-extfile", "extensions"], in: folder)
  }

  /// The number of bytes that the server's processes have written, if the system reports it.
  var bytesWritten: Int? {
    let id = process.processIdentifier
    guard let children = try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8) else {
      return nil
    }
    let counts = (["\(id)"] + children.split(separator: " ").map(String.init)).compactMap { id -> Int? in
      let text = try? String(contentsOfFile: "/proc/\(id)/io", encoding: .utf8)
      return text?.split(separator: "\n").first { $0.hasPrefix("wchar: ") }.flatMap { Int($0.dropFirst(7)) }
    }
    return counts.isEmpty ? nil : counts.reduce(0, +)
  }

  private static let responses = """
    import http.server, ssl
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"
      def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")
      def log_message(self, *arguments): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  private static let firstResponses = """
    import socket, ssl, threading
    listener = socket.create_server(("127.0.0.1", 0))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    context.set_alpn_protocols(["h2"])
    print(listener.getsockname()[1], flush=True)
    def serve(connection):
      try:
        client = context.wrap_socket(connection, server_side=True)
        stream = client.makefile("rb")
        stream.read(24)  # the preface
        client.sendall(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))  # SETTINGS
        isCompleted = False
        while len(head := stream.read(9)) == 9:
          stream.read(int.from_bytes(head[:3], "big"))
          if head[3] == 1 and not isCompleted:  # HEADERS
            isCompleted = True
            client.sendall(bytes([0, 0, 1, 1, 5]) + head[5:9] + bytes([0x88]))
      except OSError: pass
    while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  private static func refusals(_ refusal: HTTP2Refusal, at number: Int) -> String {
    """
    import socket, ssl, struct, threading, time
    mode, first, seen, lock = "\(refusal.rawValue)", \(number), 0, threading.Lock()
    listener = socket.create_server(("127.0.0.1", 0))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    context.set_alpn_protocols(["h2", "http/1.1"])
    print(listener.getsockname()[1], flush=True)
    def frame(kind, flags, stream, payload=b""):
      return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload
    def count():
      global seen
      with lock:
        seen += 1
        return seen
    def chunks(stream):
      body = b""
      while size := int(stream.readline(), 16): body += stream.read(size + 2)[:-2]
      stream.readline()
      return body
    def serve(connection):
      try:
        client = context.wrap_socket(connection, server_side=True)
        stream = client.makefile("rb")
        if client.selected_alpn_protocol() != "h2":
          while True:
            lines = []
            while (line := stream.readline().strip()): lines.append(line.decode().lower())
            if not lines: return
            length = [int(line.split(":")[1]) for line in lines if line.startswith("content-length")] or [0]
            sent = chunks(stream) if "transfer-encoding: chunked" in lines else stream.read(length[0])
            body = b"%d HTTP/1.1 " % count() + sent
            client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
        stream.read(24)  # the preface
        client.sendall(frame(4, 0, 0))
        bodies = {}
        while len(head := stream.read(9)) == 9:
          kind, flags, id = head[3], head[4], int.from_bytes(head[5:9], "big")
          payload = stream.read(int.from_bytes(head[:3], "big"))
          if kind == 4 and not flags & 1: client.sendall(frame(4, 1, 0))
          if kind == 0: bodies[id] = bodies.get(id, b"") + payload
          if kind not in (0, 1) or not flags & 1: continue
          number = count()
          refuses = number == first or number > first and mode in ("allStreams", "http1")
          if not refuses:
            body = b"%d HTTP/2 " % number + bodies.get(id, b"")
            client.sendall(frame(1, 4, id, bytes([0x88])) + frame(0, 1, id, body))
          elif mode in ("stream", "allStreams"): client.sendall(frame(3, 0, id, struct.pack(">I", 7)))
          elif mode == "http1": client.sendall(frame(3, 0, id, struct.pack(">I", 13)))
          elif mode in ("goAway", "goAwayAndClose", "processed"):
            last = id if mode == "processed" else max(id - 2, 0)
            client.sendall(frame(7, 0, 0, struct.pack(">II", last, 0)))
            if mode != "goAway":
              time.sleep(0.05)
              return client.close()
          else: return client.close()
      except OSError: pass
    while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """
  }

  private static func front(of port: Int) -> String {
    """
    import socket, ssl, threading
    listener = socket.create_server(("127.0.0.1", 0))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    print(listener.getsockname()[1], flush=True)
    def pump(source, target):
      try:
        while bytes := source.recv(65536): target.sendall(bytes)
        target.shutdown(socket.SHUT_WR)
      except OSError: pass
    def serve(connection):
      try: client = context.wrap_socket(connection, server_side=True)
      except OSError: return
      server = socket.create_connection(("127.0.0.1", \(port)))
      threading.Thread(target=pump, args=(server, client), daemon=True).start()
      pump(client, server)
    while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """
  }

  private static func startPython(_ script: String, in folder: URL) throws -> (Process, Int) {
    let output = Pipe.forChildProcess()
    let process = Process()
    process.currentDirectoryURL = folder
    process.executableURL = Python.interpreter
    process.arguments = ["-c", script]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    var text = Data()
    while !text.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw ServerError.peerClosed }
      text += more
    }
    guard let port = Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)) else {
      throw ServerError.notHTTP
    }
    return (process, port)
  }

  private static func startNginx(in folder: URL) throws -> (Process, Int) {
    try Data().write(to: folder.appendingPathComponent("big"))
    let big = try FileHandle(forWritingTo: folder.appendingPathComponent("big"))
    try big.truncate(atOffset: 256 << 20)
    try big.close()
    // Workers may run as another user.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    // Another process may take the port between the choice and the use of it; then nginx ends.
    for _ in 0..<5 {
      let port = try ScriptedServer.unusedPort()
      try Data(configuration(port, folder).utf8).write(to: folder.appendingPathComponent("nginx.conf"))
      let process = Process()
      process.currentDirectoryURL = folder
      process.executableURL = Program.path(of: "nginx")
      process.arguments = ["-p", folder.path + "/", "-c", "nginx.conf", "-e", "error.log"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.start()
      let end = ContinuousClock.now + .seconds(60)
      while process.isRunning, ContinuousClock.now < end {
        // Written once it has the port.
        let pid = try? String(contentsOf: folder.appendingPathComponent("nginx.pid"), encoding: .utf8)
        if pid?.contains("\n") == true { return (process, port) }
        usleep(10_000)
      }
      process.terminate()
    }
    throw ServerError.peerClosed
  }

  private static func configuration(_ port: Int, _ folder: URL) -> String {
    """
    daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
    events { worker_connections 512; }
    http {
      access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi; scgi_temp_path scgi;
      # Not to close what a client leaves alone for longer because it gets no processor.
      keepalive_timeout 600s; send_timeout 600s; client_header_timeout 600s; client_body_timeout 600s;
      server {
        listen 127.0.0.1:\(port) ssl http2; ssl_certificate cert.pem; ssl_certificate_key key.pem;
        location = /hello { return 200 "hello $server_protocol $connection"; }
        location / { root \(folder.path); }
      }
    }
    """
  }
}

/// A program of the system.
enum Tool {
  static func run(_ name: String, _ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = Program.path(of: name)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ServerError.system(process.terminationStatus) }
  }
}
