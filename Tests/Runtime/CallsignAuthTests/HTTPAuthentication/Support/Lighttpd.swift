import Foundation
import TestSupport

/// lighttpd, whose digests owe nothing to this project, as the current user.
enum Lighttpd {

  /// `/md5/thing`, `/sha/thing` and `/both/thing` for `Mufasa`.
  static func start() async throws -> ServerProcess {
    let folder = try ServerProcess.makeFolder()
    for place in ["md5", "sha", "both"] {
      let place = folder.appendingPathComponent("root/\(place)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: place.appendingPathComponent("thing"))
    }
    // lighttpd looks for the hash that is as long as the algorithm's.
    let users = try await ServerProcess.run(
      "python3",
      [
        "-c",
        """
        import hashlib
        for function in (hashlib.md5, hashlib.sha256):
            for name, password in (("Mufasa", "Circle of Life"), ("Jäsøn Doe", "Secret, or not?")):
                print("%s:lions:%s" % (name, function(("%s:lions:%s" % (name, password)).encode()).hexdigest()))
        """,
      ])
    try Data(users.utf8).write(to: folder.appendingPathComponent("users"))
    func rule(_ place: String, _ algorithm: String) -> String {
      """
      "/\(place)/" => ("method" => "digest", "realm" => "lions", "require" => "valid-user", "algorithm" => "\(algorithm)")
      """
    }
    let rules = [rule("md5", "MD5"), rule("sha", "SHA-256"), rule("both", "MD5|SHA-256")].joined(separator: ",\n")
    return try await ServerProcess.start("lighttpd", ["-D", "-f", "lighttpd.conf"], in: folder) { port in
      let text = """
        server.modules = ("mod_auth", "mod_authn_file")
        server.document-root = "\(folder.path)/root"
        server.bind = "127.0.0.1"
        server.port = \(port)
        # A busy machine may be silent for longer than the five seconds that it allows.
        server.max-keep-alive-idle = 600
        server.max-read-idle = 600
        server.pid-file = "\(folder.path)/pid"
        server.errorlog = "\(folder.path)/error.log"
        mimetype.assign = ("" => "application/json")
        auth.backend = "htdigest"
        auth.backend.htdigest.userfile = "\(folder.path)/users"
        auth.require = (
        \(rules)
        )
        """
      try Data(text.utf8).write(to: folder.appendingPathComponent("lighttpd.conf"))
    }
  }
}
