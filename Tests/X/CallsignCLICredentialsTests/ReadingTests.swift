import Callsign
import CallsignAuth
import CallsignCLICredentials
import Foundation
import Testing

@Suite struct ReadingTests {
  @Test("xurl's apps and users are read") func xurlsAppsAndUsers() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurl, to: ".xurl")
    let accounts = try await CLIAccounts.read([folder.xurl, folder.twurl])
    #expect(
      accounts.map(\.label) == [
        "@ann (xurl, app my-app)", "@bob (xurl, app my-app)", "user 12345 (xurl, app my-app)",
        "app only (xurl, app other-app)",
      ])
    #expect(accounts.map(\.kinds) == [[.oauth2, .bearer], [.oauth2, .bearer], [.oauth1, .bearer], [.bearer]])
    #expect(accounts.map(\.clientID) == ["client-one", "client-one", "consumer-one", "client-two"])
    #expect(accounts.map(\.source) == [.xurl, .xurl, .xurl, .xurl])
    #expect(accounts[0].expires == Date(timeIntervalSince1970: 1_795_255_200))
    #expect(accounts[1].expires == nil)
    #expect(accounts.filter(\.isDefault).map(\.username) == ["bob"])
    #expect(try accounts.preferred().username == "bob")
  }

  @Test("xurl's folder is read") func xurlsFolder() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurl, to: ".xurl/auth.yml")
    try folder.write("keys: {}", to: ".xurl/keys.yml")
    #expect(try await CLIAccounts.read([folder.xurl]).count == 4)
  }

  @Test("xurl's old file is read") func xurlsOldFile() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurlJSON, to: ".xurl")
    let accounts = try await CLIAccounts.read([folder.xurl])
    #expect(accounts.map(\.label) == ["@ann (xurl)", "user 12345 (xurl)"])
    #expect(accounts.map(\.kinds) == [[.oauth2], [.oauth1]])
    #expect(try accounts.preferred().username == "ann")
    try folder.write(#"{"oauth2_tokens":{},"oauth1_tokens":null,"bearer_token":null,"file_path":".x"}"#, to: ".xurl")
    #expect(try await CLIAccounts.read([folder.xurl]).isEmpty)
  }

  @Test("twurl's profiles are read") func twurlsProfiles() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.twurl, to: ".twurlrc")
    let accounts = try await CLIAccounts.read([folder.xurl, folder.twurl])
    #expect(
      accounts.map(\.label) == ["@ann (twurl)", "@bob (twurl)", "@bob (twurl)", "app only (twurl)"])
    #expect(accounts.map(\.kinds) == [[.oauth1, .bearer], [.oauth1, .bearer], [.oauth1], [.bearer]])
    #expect(accounts.map(\.clientID) == ["consumer-one", "consumer-one", "consumer-two", "consumer-nine"])
    #expect(accounts.map(\.userID) == ["12345", "67890", nil, nil])
    #expect(accounts.map(\.isDefault) == [true, false, false, false])
  }

  @Test("Accounts are chosen by name") func accountsAreChosenByName() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurl, to: ".xurl")
    try folder.write(Fixture.twurl, to: ".twurlrc")
    let accounts = try await CLIAccounts.read([folder.twurl, folder.xurl])
    #expect(accounts.count == 8)
    #expect(try accounts.account(named: "@ANN").source == .twurl)
    #expect(try accounts.account(named: "ann", app: "my-app").source == .xurl)
    #expect(try accounts.account(named: "bob").source == .xurl)
    #expect(try accounts.account(named: "bob", app: "consumer-two").kinds == [.oauth1])
    #expect(try accounts.preferred().source == .twurl)
    let error = #expect(throws: CLIAccountError.self) { try accounts.account(named: "carol") }
    #expect(error?.reason == .noSuchAccount)
    #expect(error?.advice.contains("@ann (twurl)") == true)
  }

  @Test("The first account is preferred if none is chosen") func theFirstIsPreferredWhereNoneIsChosen() async throws {
    let folder = try AccountFolder()
    try folder.write(
      """
      profiles:
        zoe: {key: {username: zoe, consumer_key: key, consumer_secret: s3cr3t, token: 1-t, secret: s3cr3t}}
        ann: {key: {username: ann, consumer_key: key, consumer_secret: s3cr3t, token: 2-t, secret: s3cr3t}}
      configuration: {}
      """, to: ".twurlrc")
    #expect(try await CLIAccounts.read([folder.twurl]).preferred().username == "zoe")
    try folder.write("---\nprofiles: {}\nconfiguration: {}\n", to: ".twurlrc")
    let error = await #expect(throws: CLIAccountError.self) {
      try await CLIAccounts.read([folder.twurl]).preferred()
    }
    #expect(error?.reason == .noSuchAccount)
  }

  @Test("Files are not written") func filesAreNotWritten() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurl, to: ".xurl", mode: 0o400)
    try folder.write(Fixture.twurl, to: ".twurlrc", mode: 0o400)
    let before = try FileManager.default.attributesOfItem(atPath: folder.xurl.url.path)
    for account in try await CLIAccounts.read([folder.xurl, folder.twurl]) { _ = try? account.authenticators() }
    let after = try FileManager.default.attributesOfItem(atPath: folder.xurl.url.path)
    #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    #expect(try String(contentsOf: folder.xurl.url, encoding: .utf8) == Fixture.xurl)
    #expect(try String(contentsOf: folder.twurl.url, encoding: .utf8) == Fixture.twurl)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [".twurlrc", ".xurl"])
  }

  @Test("Nothing secret is printed") func nothingSecretIsPrinted() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurl, to: ".xurl")
    try folder.write(Fixture.twurl, to: ".twurlrc")
    let accounts = try await CLIAccounts.read([folder.xurl, folder.twurl])
    var text = "\(accounts) \(String(reflecting: accounts)) "
    dump(accounts, to: &text)
    for account in accounts {
      dump(account, to: &text)
      text += "\(account) \(String(reflecting: account)) \(Mirror(reflecting: account).children.map { "\($0)" })"
      for authenticator in (try? account.authenticators()) ?? [] {
        dump(authenticator, to: &text)
        text += "\(authenticator) \(String(reflecting: authenticator)) \(authenticator.identity)"
      }
    }
    #expect(!text.contains("s3cr3t"))
  }
}
