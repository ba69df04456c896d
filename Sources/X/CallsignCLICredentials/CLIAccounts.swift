import Callsign
import Foundation

/// The accounts that X's command-line tools store on this machine.
///
/// ```swift
/// let accounts = try await CLIAccounts.read()
/// for account in accounts { print(account.label) }
/// let x = XAPI(auth: try accounts.account(named: "ann").authenticators())
/// ```
///
/// Files are read and never written. You need a person's permission to read their credentials: ask before your app does it, or let
/// them name the file.
///
/// Use this on machines where people use such tools. The system account store that iOS and macOS had for Twitter was removed in iOS
/// 11 and macOS 10.14, and nothing has replaced it. An app for Apple platforms logs users in with OAuth 2.0 and PKCE, and stores
/// the tokens in `KeychainTokenStore`, whose access group shares them with other apps of the same developer.
public struct CLIAccounts: Sendable, RandomAccessCollection {
  private let accounts: [CLIAccount]

  init(_ accounts: [CLIAccount]) { self.accounts = accounts }

  /// Reads the accounts.
  ///
  /// - Parameters:
  ///   - files: The files to read, in order. Default: `~/.xurl` and `~/.twurlrc`. If there are several, missing ones are skipped.
  ///   - allowingFilesOfOthers: Whether to read files that others can read or write, such as one passed to a container. The tools
  ///     themselves deny others access.
  /// - Throws: ``CLIAccountError``: ``CLIAccountError/Reason/missingFile`` if none of the files exists,
  ///   ``CLIAccountError/Reason/unreadable``, ``CLIAccountError/Reason/readableByOthers``, ``CLIAccountError/Reason/malformed``.
  public static func read(
    _ files: [CLIAccountFile] = [.xurl(), .twurl()], allowingFilesOfOthers: Bool = false
  ) async throws(CLIAccountError) -> CLIAccounts {
    // The file system may be slow, and Swift concurrency has few threads.
    let result: Result<CLIAccounts, CLIAccountError> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: Result { () throws(CLIAccountError) in
            try readNow(files, allowingFilesOfOthers: allowingFilesOfOthers)
          })
      }
    }
    return try result.get()
  }

  private static func readNow(
    _ files: [CLIAccountFile], allowingFilesOfOthers: Bool
  ) throws(CLIAccountError) -> CLIAccounts {
    var accounts: [CLIAccount] = []
    var isAnyThere = false
    for file in files {
      guard let bytes = try file.read(allowingOthers: allowingFilesOfOthers) else { continue }
      isAnyThere = true
      guard let root = try file.yaml(bytes) else { continue }
      switch file.source {
      case .xurl: accounts += try XurlFile(file: file).accounts(in: root)
      case .twurl: accounts += try TwurlFile(file: file).accounts(in: root)
      }
    }
    guard isAnyThere else {
      let paths = files.map(\.path).joined(separator: " nor ")
      throw CLIAccountError(
        .missingFile,
        advice: "there is no \(paths); log in with `xurl auth oauth2` first, or name the file")
    }
    return CLIAccounts(accounts)
  }

  /// The account that the tools use by default, from the first file that has one; otherwise the first account.
  ///
  /// - Throws: ``CLIAccountError`` with ``CLIAccountError/Reason/noSuchAccount`` if there is no account.
  public func preferred() throws(CLIAccountError) -> CLIAccount {
    guard let account = accounts.first(where: \.isDefault) ?? accounts.first else {
      throw CLIAccountError(
        .noSuchAccount, advice: "this machine has no accounts; log in with `xurl auth oauth2` first")
    }
    return account
  }

  /// The account with that name. If there are several, the tool's default, otherwise the first.
  ///
  /// - Parameters:
  ///   - username: The account's name, with or without `@`, in any case.
  ///   - app: The name of the app in `xurl`, or a consumer key or client ID, if the account exists for several apps.
  /// - Throws: ``CLIAccountError`` with ``CLIAccountError/Reason/noSuchAccount``, which lists the existing accounts.
  public func account(named username: String, app: String? = nil) throws(CLIAccountError) -> CLIAccount {
    let name = (username.hasPrefix("@") ? String(username.dropFirst()) : username).lowercased()
    let found = accounts.filter { account in
      account.username?.lowercased() == name && (app == nil || account.app == app || account.clientID == app)
    }
    guard let account = found.first(where: \.isDefault) ?? found.first else {
      let labels = accounts.isEmpty ? "none" : accounts.map(\.label).joined(separator: ", ")
      let wanted = "@\(name)\(app.map { " of the app \($0)" } ?? "")".filter { !$0.isNewline }
      throw CLIAccountError(
        .noSuchAccount, advice: "unknown account \(wanted); choose one of these, or log in with xurl: \(labels)")
    }
    return account
  }

  /// The position of the first account.
  public var startIndex: Int { accounts.startIndex }
  /// The position after the last account.
  public var endIndex: Int { accounts.endIndex }
  /// The account at a position.
  public subscript(position: Int) -> CLIAccount { accounts[position] }
}
