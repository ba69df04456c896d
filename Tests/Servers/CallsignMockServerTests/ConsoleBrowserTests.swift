import CallsignAuth
import CallsignHTTP
import CallsignMock
import CallsignMockServer
import CallsignX
import Foundation
import TestSupport
import Testing
import XSandbox

/// The console as a person uses it, in a real browser.
@Suite(.serialized, .needs(.chromium, .chromedriver)) struct ConsoleBrowserTests {
  /// The fields and buttons that have no name for a screen reader, and the identifiers that occur twice.
  private static let accessibility = """
    [...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, summary")].filter(element => {
      const named = (element.labels && element.labels.length) || element.getAttribute("aria-label")
        || element.textContent.trim() || (element.type === "submit" && element.value);
      return !named;
    }).map(element => element.outerHTML).concat([...document.querySelectorAll("[id]")].map(element => element.id)
      .filter((id, index, all) => all.indexOf(id) !== index))
    """

  /// Calls an operation of the form's list.
  private func call(_ operation: String, _ values: [String] = [], in browser: Browser) async throws {
    try await browser.type(operation, into: "#operation")
    for (index, value) in values.enumerated() { try await browser.type(value, into: "#parameter-\(index)") }
    try await browser.click("#try button.main")
  }

  @Test("The sandbox's console: requests, a wrong signature taken apart, operations, faults, time, windows and state")
  func sandbox() async throws {
    let sandbox = try await Sandbox.start()
    let alice = sandbox.users.alice
    func client(_ secret: String) -> XAPI {
      XAPI(
        auth: .oauth1(
          OAuth1(
            consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
            token: alice.accessToken, tokenSecret: Secret(secret))),
        configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
    }
    do {
      try await Browser.with { browser in
        try await browser.open(sandbox.url.absoluteString + "/")
        try await browser.wait(for: "Connected", in: "#connection")
        #expect(try await browser.text("#title") == "X sandbox")
        #expect(try await browser.text("#empty")?.contains(sandbox.url.absoluteString) == true)

        // Received data is shown as text: a post cannot put markup into the page.
        _ = try await client(alice.accessTokenSecret).createPosts(text: "<img src=x onerror=alert(1)> hello")
        _ = try? await client("not the secret").getUsersMe()
        let path = "/1.1/account/verify_credentials.json"
        var request = TransportRequest(
          method: .get, url: try #require(AbsoluteURL(sandbox.url.absoluteString + path + "?a=b%20c")))
        request.headerFields[.authorization] = try wrongSignature(sandbox, path: path)
        _ = try await DefaultTransport.shared.send(request).body.collect()
        try await browser.wait(for: "verify_credentials", in: "#list li:first-child")
        try await browser.click("#list li:first-child summary")
        try await browser.wait(for: "left out of the signature", in: "#list li:first-child")
        #expect(
          try await browser.text("#list li:first-child")?.contains("The first difference is at character") == true)
        #expect(try await browser.value("document.querySelectorAll('#list li:first-child mark').length") == 2)
        try await browser.screenshots("signature")

        // Operations as a user, with credentials that the page does not have.
        try await call("GET /2/users/me", in: browser)
        try await browser.wait(for: "Status 200", in: "#response-status")
        #expect(try await browser.text("#response-body")?.contains("\"username\": \"alice\"") == true)
        try await call("GET /2/users/{id}", [sandbox.users.bob.id], in: browser)
        try await browser.wait(for: "\"username\": \"bob\"", in: "#response-body")

        // Faults.
        try await browser.type("GET /2/users/me", into: "#fault-operation")
        try await browser.click("#faults button.main")
        try await browser.wait(for: "GET /2/users/me", in: "#fault-list")
        try await call("GET /2/users/me", in: browser)
        try await browser.wait(for: "Status 503", in: "#response-status")
        try await browser.wait(for: "Happened so far: 1", in: "#fault-list")

        // Rate windows, and the time that ends them.
        try await browser.wait(for: "GET /2/users/me", in: "#limits")
        try await browser.click("button[data-seconds='86400']")
        try await browser.wait(for: "1 d ahead", in: "#offset")
        try await eventually("the windows stay", within: .seconds(120)) {
          try await browser.text("#limits")?.contains("GET /2/users/me") != true
        }

        // State.
        try await browser.click("#tables button[data-table=posts]")
        try await browser.wait(for: "<img src=x onerror=alert(1)> hello", in: "#table")
        #expect(try await browser.value("document.querySelectorAll('img').length") == 0)
        try await browser.screenshots("console")

        // A name for every field, and no page wider than its window.
        #expect(try await browser.value(Self.accessibility) == [])
        for look in Browser.Look.allCases {
          try await browser.look(look)
          #expect(
            try await browser.value("document.documentElement.scrollWidth <= window.innerWidth") == true, "\(look)")
        }
        let page = try await browser.value("document.documentElement.outerHTML").string ?? ""
        for secret in [alice.accessTokenSecret, alice.oauth2AccessToken, sandbox.app.bearerToken, alice.password] {
          #expect(!page.contains(secret))
        }
        #expect(try await browser.complaints().filter { !$0.contains("favicon") } == [])
      }
    } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  @Test(
    "Only by keyboard: an operation is tried, its request opened, a fault added, and the time moved")
  func keyboard() async throws {
    let sandbox = try await Sandbox.start()
    do {
      try await Browser.with { browser in
        try await browser.open(sandbox.url.absoluteString + "/")
        try await browser.wait(for: "Connected", in: "#connection")
        try await browser.tab(to: "#operation")
        try await browser.type("GET /2/users/me")
        try await browser.tab(to: "#try button.main")
        try await browser.press("\u{E007}")
        try await browser.wait(for: "\"username\": \"alice\"", in: "#response-body")
        try await browser.tab(to: "#faults button.main")
        try await browser.press("\u{E007}")
        try await browser.wait(for: "503", in: "#fault-list")
        try await browser.tab(to: "button[data-seconds='900']")
        try await browser.press(" ")
        try await browser.wait(for: "15 min ahead", in: "#offset")
        try await browser.open(sandbox.url.absoluteString + "/")
        try await browser.wait(for: "/2/users/me", in: "#list li:first-child")
        try await browser.tab(to: "#list li:first-child summary")
        try await browser.press("\u{E007}")
        try await browser.wait(for: "Header fields", in: "#list li:first-child")
        #expect(try await browser.complaints().filter { !$0.contains("favicon") } == [])
      }
    } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  /// Alice's signature of a request without the parameters of its query.
  private func wrongSignature(_ sandbox: Sandbox, path: String) throws -> String {
    let alice = sandbox.users.alice
    let signer = OAuth1Signer(
      consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
      token: alice.accessToken, tokenSecret: Secret(alice.accessTokenSecret))
    return try signer.sign(
      method: "GET", url: sandbox.url.absoluteString + path, nonce: "a-nonce-of-this-test",
      timestamp: String(Int(Date().timeIntervalSince1970))
    ).authorization
  }

  @Test("The mock's console: operations with their parameters, refusals with their reasons, and faults")
  func mock() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      api:
        name: Petstore
        hosts: {api: https://petstore.example/v1}
        schemes: {bearer: }
        auth: [bearer]
      endpoints:
        listPets:
          call: GET /pets
          summary: Lists the pets that are for sale.
          params: {limit: int(1..100)?}
          returns: "[Pet]"
        addPet:
          call: POST /pets
          summary: Puts a pet up for sale.
          params: {name: string, born: date(day)?}
          returns: Pet
      models:
        Pet: {id: string, name: string, born: date(day)?}
      """, to: "petstore.yaml")
    let mock = try MockServer(folder: folder.url.appendingPathComponent("petstore.yaml").path)
    let listener = try await mock.listen()
    do {
      try await Browser.with { browser in
        try await browser.open(listener.url.absoluteString)
        try await browser.wait(for: "Connected", in: "#connection")
        #expect(try await browser.text("#title") == "Mock of Petstore")
        try await call("listPets", ["500"], in: browser)
        try await browser.wait(for: "Status 400", in: "#response-status")
        try await browser.click("#list li:first-child summary")
        try await browser.wait(for: "500 is more than 100", in: "#list li:first-child")
        try await call("listPets", ["3"], in: browser)
        try await browser.wait(for: "Status 200", in: "#response-status")
        try await browser.type("addPet", into: "#operation")
        try await browser.type(#"{"name": "Rex"}"#, into: "#body")
        try await browser.click("#try button.main")
        try await browser.wait(for: "\"name\": \"Rex\"", in: "#response-body")
        try await browser.screenshots("mock")
        try await browser.type("*", into: "#fault-operation")
        try await browser.click("#faults button.main")
        try await browser.wait(for: "503", in: "#fault-list")
        try await call("listPets", ["3"], in: browser)
        try await browser.wait(for: "Status 503", in: "#response-status")
        #expect(try await browser.value(Self.accessibility) == [])
        #expect(try await browser.complaints() == [])
      }
    } catch {
      await listener.stop()
      throw error
    }
    await listener.stop()
  }
}
