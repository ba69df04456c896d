import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite("Certificates of calls", .needs(.openssl, .python)) struct CertificateTests {
    private static let catalogue = """
      api: {name: Bank, hosts: {api: "https://bank.example"}, schemes: {none: null}, auth: [none]}
      endpoints: {getProof: {call: GET /proof, returns: json}}
      """
    private let catalogue: TemporaryFolder
    private let certificates: URL

    init() async throws {
      catalogue = try TemporaryFolder()
      try catalogue.write(Self.catalogue, to: "api.yaml")
      certificates = try await ClientCertificateServer.makeCertificates()
    }

    private func path(_ name: String) -> String { certificates.appendingPathComponent(name).path }

    private func call(_ port: Int, _ words: [String], password: String? = nil) async throws -> Run {
      try await Run(
        "callsign",
        ["call", catalogue.path, "getProof", "--base-url", "https://127.0.0.1:\(port)", "--cacert", path("ca.pem")]
          + words,
        environment: ["CALLSIGN_NO_CACHE": "1"].merging(password.map { ["CALLSIGN_CERT_PASSWORD": $0] } ?? [:]) { $1 })
    }

    @Test("A server that requires a certificate gets the named one, in every format")
    func shown() async throws {
      let server = try await ClientCertificateServer.startPython(certificates)
      for (words, password) in [
        (["--cert", path("client-both.pem")], nil),
        (["--cert", path("client.pem"), "--cert-key", path("client.key")], nil),
        (["--cert", path("client.p12")], "key-password-1"),
        (["--cert=" + path("client.pem"), "--cert-key=" + path("client-encrypted.key")], "key-password-1"),
      ] as [([String], String?)] {
        let run = try await call(server.port, words, password: password)
        #expect(run.status == 0 && run.output.contains("true"), "\(words) \(run.output) \(run.error)")
      }
      let without = try await call(server.port, [])
      #expect(without.status != 0 && without.error.contains("TLS"), "\(without.error)")
    }

    @Test("Unusable files are reported before anything is sent")
    func unusable() async throws {
      for (words, problem) in [
        (["--cert-key", path("client.key")], "--cert-key goes with --cert"),
        (["--cert", path("client.p12"), "--cert-key", path("client.key")], "leave --cert-key out"),
        (["--cert", path("nowhere.pem")], "nowhere.pem cannot be read"),
        (["--cert", path("client.p12")], "a password is taken from CALLSIGN_CERT_PASSWORD"),
        (["--cert", path("client-both.pem"), "--base-url", "http://127.0.0.1:9"], "called by https"),
        (["--cacert", path("nowhere.pem")], "--cacert: "),
      ] {
        let run = try await call(9, words)
        #expect(run.status != 0 && run.error.contains(problem), "\(words) \(run.error)")
        #expect(!run.error.contains("PRIVATE KEY"))
      }
    }
  }
#endif
