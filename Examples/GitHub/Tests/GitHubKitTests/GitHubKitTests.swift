import Callsign
import CallsignMock
import CallsignMockServer
import Foundation
import GitHubKit
import HTTPTypes
import Testing

/// Tests the API with a mock that is made from its catalogue.
@Suite("GitHub by its document") struct GitHubKitTests {
  private let repository = RepositoryName("octo/hello")

  private func mock() throws -> MockServer {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try MockServer(folder: package.appendingPathComponent("Sources/GitHubKit/Catalogue").path)
  }

  private func client(_ mock: MockServer) -> GitHub {
    GitHub(auth: .bearer("token"), configuration: ClientConfiguration(transport: mock))
  }

  @Test("Open issues come in pages, without pull requests") func pages() async throws {
    let repository = try #require(repository)
    let mock = try mock()
    let github = client(mock)
    let all = try await github.issuesPages(owner: "octo", repo: "hello", state: .open, perPage: 100).items.reduce(
      into: []
    ) { $0.append($1) }
    mock.forgetRequests()
    let issues = try await github.openIssues(of: repository, limit: 1_000)
    #expect(!all.isEmpty && issues.count == all.count { $0.pullRequest == nil })
    #expect(issues.allSatisfy { $0.pullRequest == nil })
    let requests = try mock.requests(to: "issues/list-for-repo")
    #expect(requests.allSatisfy { $0.path == "/repos/octo/hello/issues" && $0.query("state") == "open" })
    #expect(requests.first?.query("labels") == nil)
    #expect(requests.first?.headers[.authorization] == "Bearer token")
    #expect(requests.first?.headers.contains { $0.name.rawName == "X-GitHub-Api-Version" } == true)
    _ = try await github.openIssues(of: repository, labels: ["bug", "help wanted"], limit: 1)
    #expect(try mock.requests(to: "issues/list-for-repo").last?.query("labels") == "bug,help wanted")
  }

  @Test("No more pages are requested than a limit needs") func limit() async throws {
    let repository = try #require(repository)
    let mock = try mock()
    let link = try #require(HTTPField.Name("Link"))
    let issue: JSONValue = [
      "id": 1, "number": 1, "state": "open", "title": "It breaks", "user": .null, "labels": [], "comments": 0,
      "created_at": "2026-11-22T10:00:00Z", "updated_at": "2026-11-22T10:00:00Z",
      "html_url": "https://github.com/octo/hello/issues/1",
    ]
    try mock.reply(to: "issues/list-for-repo") { _ in
      .json(
        [issue, issue], headers: [link: "<https://api.github.com/repos/octo/hello/issues?page=2>; rel=\"next\""])
    }
    let github = client(mock)
    #expect(try await github.openIssues(of: repository, limit: 0).isEmpty && mock.requests.isEmpty)
    #expect(try await github.openIssues(of: repository, limit: 2).count == 2 && mock.requests.count == 1)
    #expect(try await github.openIssues(of: repository, limit: 3).count == 3 && mock.requests.count == 3)
  }

  @Test("An issue is opened, changed and closed with the given values, and nothing else") func writes() async throws {
    let repository = try #require(repository)
    let mock = try mock()
    let github = client(mock)
    try mock.reply(to: "issues/update", with: .generated(with: ["state": "closed", "number": 7]))
    try await github.createIssue(owner: "octo", repo: "hello", title: "It breaks", labels: ["bug"])
    #expect(try mock.requests(to: "issues/create").first?.bodyValue == ["title": "It breaks", "labels": ["bug"]])
    try await github.updateIssue(owner: "octo", repo: "hello", number: 7, body: .null)
    #expect(try mock.requests(to: "issues/update").first?.bodyValue == ["body": .null])
    let closed = try await github.closeIssue(7, of: repository, saying: "Done.")
    #expect(closed.number == 7 && closed.state == .closed)
    #expect(try mock.requests(to: "issues/create-comment").first?.bodyValue == ["body": "Done."])
    #expect(try mock.requests(to: "issues/update").last?.bodyValue == ["state": "closed"])
  }

  @Test("Reading needs no token; writing without one is not sent") func anonymous() async throws {
    let repository = try #require(repository)
    let mock = try mock()
    let github = GitHub(auth: .none, configuration: ClientConfiguration(transport: mock))
    #expect(try await github.repository(owner: "octo", repo: "hello").id > 0)
    _ = try await github.openIssues(of: repository, limit: 1)
    mock.forgetRequests()
    await #expect(throws: CallError.self) {
      try await github.createIssue(owner: "octo", repo: "hello", title: "It breaks")
    }
    #expect(mock.requests.isEmpty)
  }

  @Test("An error's body has its type") func errors() async throws {
    let mock = try mock()
    let response: JSONValue = [
      "message": "Validation Failed", "documentation_url": "https://docs.github.com/rest",
      "errors": [["resource": "Issue", "field": "title", "code": "missing_field"]],
    ]
    try mock.reply(to: "issues/create", with: .json(response, status: 422))
    do throws(CallError) {
      try await client(mock).createIssue(owner: "octo", repo: "hello", title: " ")
      Issue.record("the call should have failed")
    } catch {
      let body = try #require(try error.body(as: GitHub.ValidationError.self))
      #expect(body.errors.first?.field == "title" && body.errors.first?.code == "missing_field")
    }
  }

  @Test("The same over a socket, with an outage in between") func loopback() async throws {
    let repository = try #require(repository)
    let listener = try await mock().listen()
    try listener.mock.inject(.status(503), for: "repos/get", times: 1)
    try listener.mock.reply(to: "repos/get", with: .generated(with: ["full_name": .string(repository.description)]))
    let github = GitHub(
      auth: .bearer("token"), configuration: ClientConfiguration(hosts: .all(to: listener.url.absoluteString)))
    let found = try await github.repository(owner: repository.owner, repo: repository.name)
    #expect(found.fullName == "octo/hello" && found.rawResponse.attempts == 2)
    await listener.stop()
  }

  @Test(
    "A repository's name has an owner and a name", arguments: ["", "octo", "/hello", "octo/", "octo/hello/issues", "/"])
  func names(_ text: String) { #expect(RepositoryName(text) == nil) }
}
