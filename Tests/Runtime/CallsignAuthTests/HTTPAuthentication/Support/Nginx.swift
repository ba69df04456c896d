import Foundation
import TestSupport

/// nginx with two folders behind HTTP Basic, as the current user.
enum Nginx {
  /// The beginning of every configuration. Without a master process, ending the one process ends all.
  static let preamble = """
    daemon off; master_process off; pid pid; error_log error.log;
    events { worker_connections 256; }
    """
  static let http = """
    access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi; default_type application/json;
    """

  /// Behind `/one/` and `/two/` with realms of these names: users `Aladdin` and `tëst`.
  static func startBasic() async throws -> ServerProcess {
    let folder = try ServerProcess.makeFolder()
    var users = ""
    for (name, password) in [("Aladdin", "open sesame"), ("tëst", "123£")] {
      let hash = try await ServerProcess.run("openssl", ["passwd", "-apr1", password])
      users += "\(name):\(hash)"
    }
    try Data(users.utf8).write(to: folder.appendingPathComponent("users"))
    for place in ["one", "two", "open"] {
      let place = folder.appendingPathComponent(place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: place.appendingPathComponent("thing"))
    }
    return try await start(folder) { port in
      """
      server {
        listen 127.0.0.1:\(port); root \(folder.path);
        location /one/ { auth_basic "one"; auth_basic_user_file users; }
        location /two/ { auth_basic "two"; auth_basic_user_file users; }
      }
      """
    }
  }

  static func start(_ folder: URL, _ server: @escaping @Sendable (Int) -> String) async throws -> ServerProcess {
    try await ServerProcess.start(
      "nginx", ["-p", folder.path + "/", "-c", "nginx.conf", "-e", "error.log"], in: folder
    ) { port in
      let text = "\(preamble)\nhttp {\n\(http)\n\(server(port))\n}\n"
      try Data(text.utf8).write(to: folder.appendingPathComponent("nginx.conf"))
    }
  }
}

extension ClientCertificateServer {
  /// nginx that responds with the subject of the certificate that it was shown, and 400 without one.
  static func startNginx(_ folder: URL) async throws -> ServerProcess {
    try await Nginx.start(folder) { port in
      """
      server {
        listen 127.0.0.1:\(port) ssl http2; ssl_certificate cert.pem; ssl_certificate_key key.pem;
        ssl_client_certificate ca.pem; ssl_verify_client on;
        location / { return 200 '{"subject": "$ssl_client_s_dn", "verified": "$ssl_client_verify"}'; }
      }
      """
    }
  }
}
