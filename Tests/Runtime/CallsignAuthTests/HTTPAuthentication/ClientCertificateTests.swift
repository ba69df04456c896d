import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

#if os(Linux)
  @Suite(
    "Client certificates",
    .needs(.nginx, .openssl, .python))
  struct ClientCertificateTests {
    private let password: Secret = "key-password-1"

    private func transport(_ folder: URL, _ certificates: [ClientCertificate]) -> any Transport {
      DefaultTransport.make(
        configuration: TransportConfiguration(
          certificateAuthorities: .file(folder.appendingPathComponent("ca.pem")), clientCertificates: certificates))
    }

    private func subject(_ transport: any Transport, _ url: String) async throws -> String? {
      let client = Client(auth: [], configuration: ClientConfiguration(transport: transport))
      return try await client.call(.get, url, auth: .none).value.object?["subject"]?.string
    }

    @Test("A certificate comes in every form") func everyForm() async throws {
      let folder = try await ClientCertificateServer.makeCertificates()
      let server = try await ClientCertificateServer.startNginx(folder)
      let url = "https://127.0.0.1:\(server.port)/"
      let hosts = ["127.0.0.1:\(server.port)"]
      func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
      let forms = [
        try ClientCertificate(pem: file("client.pem"), key: file("client.key"), hosts: hosts),
        try ClientCertificate(pem: file("client-both.pem"), hosts: hosts),
        try ClientCertificate(
          pem: file("client.pem"), key: file("client-encrypted.key"), password: password, hosts: hosts),
        try ClientCertificate(
          pem: file("client.pem"), key: file("client-legacy.key"), password: password, hosts: hosts),
        try ClientCertificate(pkcs12: file("client.p12"), password: password, hosts: hosts),
        try ClientCertificate(pkcs12: try Data(contentsOf: file("client.p12")), password: password, hosts: hosts),
        try ClientCertificate(pkcs12: file("empty.p12"), password: "", hosts: hosts),
        try ClientCertificate(pkcs12: file("unlocked.p12"), password: "", hosts: hosts),
      ]
      for form in forms {
        let transport = transport(folder, [form])
        for _ in 0..<3 { #expect(try await subject(transport, url) == "CN=client-1") }
      }
    }

    @Test("It is shown only to its hosts, and each host sees its own") func scope() async throws {
      let folder = try await ClientCertificateServer.makeCertificates()
      let server = try await ClientCertificateServer.startNginx(folder)
      func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
      let one = try ClientCertificate(
        pem: file("client.pem"), key: file("client.key"), hosts: ["127.0.0.1:\(server.port)"])
      let other = try ClientCertificate(
        pem: file("other.pem"), key: file("other.key"), hosts: ["localhost:\(server.port)"])
      let both = transport(folder, [one, other])
      for _ in 0..<3 {
        #expect(try await subject(both, "https://127.0.0.1:\(server.port)/") == "CN=client-1")
        #expect(try await subject(both, "https://localhost:\(server.port)/") == "CN=client-2")
      }
      // The same server by a name that the certificate is not for, on a transport that has shown it already.
      let single = transport(folder, [one])
      #expect(try await subject(single, "https://127.0.0.1:\(server.port)/") == "CN=client-1")
      let error = await #expect(throws: CallError.self) {
        try await subject(single, "https://localhost:\(server.port)/")
      }
      #expect(error?.rawResponse?.status == .badRequest)
    }

    @Test("A handshake that fails for want of a certificate", arguments: [HTTPRequest.Method.get, .post])
    func refused(method: HTTPRequest.Method) async throws {
      let folder = try await ClientCertificateServer.makeCertificates()
      let server = try await ClientCertificateServer.startPython(folder)
      let url = "https://127.0.0.1:\(server.port)/"
      let without = Client(auth: [], configuration: ClientConfiguration(transport: transport(folder, [])))
      let error = await #expect(throws: CallError.self) { try await without.call(method, url, auth: .none) }
      guard case .transport(let failure)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(failure.kind == .tls)
      let certificate = try ClientCertificate(
        pem: folder.appendingPathComponent("client-both.pem"), hosts: ["127.0.0.1:\(server.port)"])
      let with = Client(auth: [], configuration: ClientConfiguration(transport: transport(folder, [certificate])))
      #expect(try await with.call(method, url, auth: .none).value.object?["shown"] == true)
    }

    @Test("Mistakes are reported at once") func whatIsWrongIsSaidAtOnce() async throws {
      let folder = try await ClientCertificateServer.makeCertificates()
      defer { try? FileManager.default.removeItem(at: folder) }
      func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
      func reason(_ make: () throws(ClientCertificateError) -> ClientCertificate) -> ClientCertificateError.Reason? {
        do throws(ClientCertificateError) {
          _ = try make()
          return nil
        } catch {
          #expect(!error.advice.isEmpty && !"\(error)".contains("password-"))
          return error.reason
        }
      }
      func pem(
        _ certificate: String, _ key: String?, _ password: Secret? = nil
      ) -> ClientCertificateError.Reason? {
        reason { () throws(ClientCertificateError) in
          try ClientCertificate(pem: file(certificate), key: key.map(file), password: password, hosts: ["a"])
        }
      }
      func pkcs12(_ name: String, _ password: Secret) -> ClientCertificateError.Reason? {
        reason { () throws(ClientCertificateError) in
          try ClientCertificate(pkcs12: file(name), password: password, hosts: ["a"])
        }
      }
      #expect(pem("client.pem", "client.key") == nil)
      #expect(pem("missing.pem", nil) == .unreadableFile)
      #expect(pem("client.pem", "missing.key") == .unreadableFile)
      #expect(pem("client.pem", nil) == .noKey)
      #expect(pem("client.key", "client.key") == .noCertificate)
      #expect(pem("client.pem", "other.key") == .keyMismatch)
      for key in ["client-encrypted.key", "client-legacy.key"] {
        #expect(pem("client.pem", key) == .wrongPassword)
        #expect(pem("client.pem", key, "wrong-password-2") == .wrongPassword)
        #expect(pem("client.pem", key, password) == nil)
      }
      let text = try String(contentsOf: file("client.key"), encoding: .utf8)
      try Data(text.replacing("\nM", with: "\n!").utf8).write(to: file("damaged.key"))
      #expect(pem("client.pem", "damaged.key") == .unreadableKey)
      #expect(pkcs12("client.p12", password) == nil)
      #expect(pkcs12("client.p12", "wrong-password-2") == .wrongPassword)
      #expect(pkcs12("client.p12", "") == .wrongPassword)
      for name in ["empty.p12", "unlocked.p12"] {
        #expect(pkcs12(name, "") == nil)
        #expect(pkcs12(name, "wrong-password-2") == .wrongPassword)
      }
      #expect(pkcs12("client.pem", password) == .damaged)
      #expect(pkcs12("keyless.p12", password) == .noKey)
    }

    @Test("A certificate prints no key") func itTellsNothing() async throws {
      let folder = try await ClientCertificateServer.makeCertificates()
      defer { try? FileManager.default.removeItem(at: folder) }
      let certificate = try ClientCertificate(
        pem: folder.appendingPathComponent("client.pem"), key: folder.appendingPathComponent("client-encrypted.key"),
        password: password, hosts: ["a"])
      let configuration = TransportConfiguration(clientCertificates: [certificate])
      var text = "\(configuration) \(String(reflecting: configuration))"
      dump(configuration, to: &text)
      #expect(!text.contains("key-password-1") && !text.contains("PRIVATE KEY") && text.contains("‹redacted›"))
      #expect(configuration == TransportConfiguration(clientCertificates: [certificate]))
      #expect(configuration != TransportConfiguration())
    }
  }
#endif
