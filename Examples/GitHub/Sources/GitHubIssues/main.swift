import Callsign
import Foundation
import GitHubKit

// Lists, opens and closes issues. GITHUB_TOKEN is a personal access token; public issues can be listed without one.

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
  exit(1)
}

let usage = "usage: GitHubIssues list|open|close OWNER/REPOSITORY [LABEL … | TITLE [TEXT] | NUMBER]"
let environment = ProcessInfo.processInfo.environment
var configuration = ClientConfiguration(rateLimitPolicy: .wait(upTo: .seconds(60)))
// To try it with a mock: `callsign mock Sources/GitHubKit/Catalogue` prints its address.
if let url = environment["GITHUB_URL"] { configuration.hosts = .all(to: url) }
let github =
  if let token = environment["GITHUB_TOKEN"], !token.isEmpty {
    GitHub(auth: .bearer(token), configuration: configuration)
  } else {
    GitHub(auth: .none, configuration: configuration)
  }

let words = CommandLine.arguments.dropFirst()
guard let command = words.first, let repository = words.dropFirst().first.flatMap(RepositoryName.init) else {
  fail(usage)
}
let rest = Array(words.dropFirst(2))
do {
  switch (command, rest.first) {
  case ("list", _):
    for issue in try await github.openIssues(of: repository, labels: rest) {
      print("#\(issue.number)  \(issue.title)  \(issue.labels.compactMap(\.name).joined(separator: ", "))")
    }
  case ("open", let title?):
    let issue = try await github.createIssue(
      owner: repository.owner, repo: repository.name, title: title, body: rest.dropFirst().first)
    print("#\(issue.number)  \(issue.htmlURL)")
  case ("close", let number?):
    guard let number = Int(number) else { fail("`\(number)` is no issue's number") }
    print("#\(number) is \(try await github.closeIssue(number, of: repository).state)")
  default: fail(usage)
  }
} catch {
  fail(error.advice ?? error.description)
}
