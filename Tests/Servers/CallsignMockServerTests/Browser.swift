import CallsignHTTP
import CallsignJSON
import ChildProcesses
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A headless Chromium that a test drives, by the WebDriver protocol (W3C), which is JSON over HTTP.
///
/// `@unchecked Sendable`: nothing changes after `init`, and the process is only ended.
final class Browser: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let driver: Process
  private let port: Int
  private let session: String
  private let profile: TemporaryFolder

  /// Starts a browser, and ends it after the test.
  static func with<Result: Sendable>(_ body: (Browser) async throws -> Result) async throws -> Result {
    let browser = try await start()
    do {
      let result = try await body(browser)
      await browser.end()
      return result
    } catch {
      // So that readers of the log see what the page looked like.
      try? await browser.screenshot("failure-\(UUID().uuidString.prefix(8))")
      await browser.end()
      throw error
    }
  }

  private static func start() async throws -> Browser {
    let (process, port) = try await onThread {
      for _ in 0..<10 { if let driver = try startDriver() { return driver } }
      throw Failure(description: "chromedriver has not started, ten times")
    }
    let profile = try TemporaryFolder()
    var options: JSONValue = [
      "binary": .string(Program.path(of: "chromium")?.path ?? ""),
      "args": .array(
        ([
          "--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,900",
          "--disable-background-networking", "--no-first-run", "--user-data-dir=\(profile.path)",
          // Only this machine can be reached.
          "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
        ] + (geteuid() == 0 ? ["--no-sandbox"] : [])).map { .string($0) }),
    ]
    if options["binary"] == "" { options = ["args": options["args"] ?? []] }
    let capabilities: JSONValue = [
      "browserName": "chrome", "goog:loggingPrefs": ["browser": "ALL"], "goog:chromeOptions": options,
      "timeouts": ["pageLoad": 120_000, "script": 120_000],
    ]
    do {
      let begun = try await request(
        .post, "http://127.0.0.1:\(port)/session", ["capabilities": ["alwaysMatch": capabilities]])
      guard let session = begun["sessionId"]?.string else {
        throw Failure(description: "there is no session: \(begun)")
      }
      return Browser(driver: process, port: port, session: session, profile: profile)
    } catch {
      await end(process, port)
      throw error
    }
  }

  /// Starts a driver; `nil` if it has ended at once. It takes a port that is free for IPv4, and gives up if another process has the
  /// same one for IPv6.
  private static func startDriver() throws -> (Process, port: Int)? {
    let process = Process()
    guard let path = Program.path(of: "chromedriver") else { throw Failure(description: "chromedriver is missing") }
    process.executableURL = path
    process.arguments = ["--port=0"]
    let output = Pipe.forChildProcess()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    var text = ""
    // "ChromeDriver was started successfully on port 39213."
    while true {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      text += String(decoding: more, as: UTF8.self)
      if let found = text.range(of: "successfully on port "), let end = text[found.upperBound...].firstIndex(of: "."),
        let port = Int(text[found.upperBound..<end])
      {
        return (process, port)
      }
    }
  }

  /// Ends a driver with its browsers. The signal is one that cannot be blocked: a process that a dispatch thread starts has that
  /// thread's mask, which blocks `SIGTERM`.
  private static func end(_ driver: Process, _ port: Int) async {
    _ = try? await request(.get, "http://127.0.0.1:\(port)/shutdown", nil)
    kill(driver.processIdentifier, SIGKILL)
  }

  private init(driver: Process, port: Int, session: String, profile: TemporaryFolder) {
    self.driver = driver
    self.port = port
    self.session = session
    self.profile = profile
  }

  private func end() async {
    // The browser ends with its session.
    _ = try? await command(.delete, "")
    await Self.end(driver, port)
  }

  // MARK: Commands

  /// Foundation's `URLSession` on Linux cannot read chromedriver's header fields, which have no space behind the colon.
  private static let transport = DefaultTransport.make(configuration: TransportConfiguration(proxy: .none))

  /// The value of a response.
  private static func request(
    _ method: HTTPRequest.Method, _ address: String, _ body: JSONValue?
  ) async throws -> JSONValue {
    guard let url = AbsoluteURL(address) else { throw Failure(description: "no URL: \(address)") }
    // Longer than a page may load.
    var request = TransportRequest(
      method: method, url: url, timeouts: Timeouts(connect: .seconds(60), idle: .seconds(180)))
    if method == .post {
      request.headerFields[.contentType] = "application/json"
      request.body = .data(Data((body ?? [:]).description.utf8))
    }
    let response = try await transport.send(request)
    let text = String(decoding: try await response.body.collect(), as: UTF8.self)
    let value = (try? JSONValue(jsonString: text))?["value"] ?? .null
    guard response.head.status.code == 200 else {
      throw Failure(description: "\(value["error"]?.string ?? "?"): \(value["message"]?.string?.prefix(500) ?? "")")
    }
    return value
  }

  @discardableResult
  private func command(
    _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil
  ) async throws -> JSONValue {
    try await Self.request(method, "http://127.0.0.1:\(port)/session/\(session)\(path)", body)
  }

  /// Opens a page, and waits until it is there.
  func open(_ address: String) async throws { try await command(.post, "/url", ["url": .string(address)]) }

  /// The address of the page.
  func address() async throws -> String { try await command(.get, "/url").string ?? "" }

  func title() async throws -> String { try await command(.get, "/title").string ?? "" }

  /// The value of an expression of JavaScript.
  func value(_ expression: String) async throws -> JSONValue {
    try await command(.post, "/execute/sync", ["script": .string("return \(expression)"), "args": []])
  }

  /// The visible text of an element, by its CSS selector; `nil` if there is none. Read in one step, because the page may change
  /// between two steps.
  func text(_ selector: String) async throws -> String? {
    try await command(
      .post, "/execute/sync",
      ["script": "return document.querySelector(arguments[0])?.innerText", "args": [.string(selector)]]
    ).string
  }

  /// Waits until an element has a text.
  func wait(for text: String, in selector: String) async throws {
    try await eventually("\(selector) does not say \(text)", within: .seconds(120)) {
      // Between two pages there is none.
      (try? await self.text(selector))?.contains(text) == true
    }
  }

  private func elements(_ selector: String) async throws -> [String] {
    let found = try await command(.post, "/elements", ["using": "css selector", "value": .string(selector)])
    return found.array?.compactMap { $0.object?.values.first?.string } ?? []
  }

  /// Waits for an element that can be seen.
  func element(_ selector: String) async throws -> String {
    var found: String?
    try await eventually("there is no element \(selector)", within: .seconds(120)) {
      guard let element = try await elements(selector).first,
        (try? await command(.get, "/element/\(element)/displayed")) == true
      else { return false }
      found = element
      return true
    }
    guard let found else { throw Failure(description: "there is no element \(selector)") }
    return found
  }

  func click(_ selector: String) async throws {
    try await eventually("\(selector) cannot be clicked", within: .seconds(120)) {
      // The element may have been replaced in the meantime.
      (try? await command(.post, "/element/\(try await element(selector))/click")) != nil
    }
  }

  /// Types into a field, and replaces its text.
  func type(_ text: String, into selector: String) async throws {
    let field = try await element(selector)
    try await command(.post, "/element/\(field)/clear")
    try await command(.post, "/element/\(field)/value", ["text": .string(text)])
  }

  /// Presses a key where the focus is: `\u{E004}` is the tabulator, `\u{E007}` the enter key (WebDriver §17.4.2).
  func press(_ key: String) async throws {
    try await command(
      .post, "/actions",
      [
        "actions": [
          [
            "type": "key", "id": "keyboard",
            "actions": [["type": "keyDown", "value": .string(key)], ["type": "keyUp", "value": .string(key)]],
          ]
        ]
      ])
  }

  /// Presses Tab until an element has the focus, as a person without a mouse does.
  func tab(to selector: String) async throws {
    for _ in 0..<200 {
      try await press("\u{E004}")
      let script = "return document.activeElement?.matches(arguments[0])"
      let found = try await command(
        .post, "/execute/sync", ["script": .string(script), "args": [.string(selector)]])
      if found == true { return }
    }
    throw Failure(description: "the tabulator does not lead to \(selector)")
  }

  /// Types where the focus is, key by key.
  func type(_ text: String) async throws {
    for character in text { try await press(String(character)) }
  }

  /// The complaints of the page and the browser, such as a violation of the content security policy.
  func complaints() async throws -> [String] {
    try await command(.post, "/se/log", ["type": "browser"]).array?.filter { $0["level"] == "SEVERE" }
      .compactMap { $0["message"]?.string } ?? []
  }

  // MARK: Appearance

  enum Look: String, CaseIterable {
    case light, dark, phone
  }

  /// Makes the page look as by day, at night, or on a phone.
  func look(_ look: Look) async throws {
    try await developerCommand(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": .string(look == .dark ? "dark" : "light")]]])
    let isPhone = look == .phone
    try await developerCommand(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(isPhone ? 390 : 1280), "height": .integer(isPhone ? 844 : 900),
        "deviceScaleFactor": 1, "mobile": .bool(isPhone),
      ])
  }

  /// Keeps a picture of the whole page in `.build-screenshots`.
  func screenshot(_ name: String) async throws {
    let picture = try await developerCommand(
      "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
    guard let text = picture["data"]?.string, let bytes = Data(base64Encoded: text) else {
      throw Failure(description: "there is no picture")
    }
    let folder = PackageFolder.url(".build-screenshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try bytes.write(to: folder.appendingPathComponent("\(name).png"))
  }

  /// Keeps a picture in each look.
  func screenshots(_ name: String) async throws {
    for look in Look.allCases {
      try await self.look(look)
      try await screenshot("\(name)-\(look)")
    }
    try await look(.light)
  }

  @discardableResult
  private func developerCommand(_ name: String, _ parameters: JSONValue) async throws -> JSONValue {
    try await command(.post, "/goog/cdp/execute", ["cmd": .string(name), "params": parameters])
  }
}

extension Requirement {
  static var chromium: Requirement { program("chromium") }
  static var chromedriver: Requirement { program("chromedriver") }
}
