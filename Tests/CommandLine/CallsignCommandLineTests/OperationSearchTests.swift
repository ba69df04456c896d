import Testing

@testable import CallsignCommandLine

@Suite("A search for operations") struct OperationSearchTests {
  @Test("A long request is read to a bound, in a moment")
  func longRequest() {
    let search = OperationSearch([
      .init(name: "pulls/list", method: "GET", path: "/pulls", summary: "List pull requests")
    ])
    let start = ContinuousClock.now
    for text in [
      "pulls " + String(repeating: "a", count: 1_000_000), "pulls " + String(repeating: "list ", count: 200_000),
    ] {
      #expect(!OperationSearch.saysNothing(text))
      #expect(search.matches(text).contains { $0.name == "pulls/list" })
    }
    #expect(start.duration(to: .now) < .seconds(10))
  }

  /// Lines of large APIs: name, method and path, summary.
  private static let gitHub = """
    codespaces/get-for-authenticated-user | GET /user/codespaces/{codespace_name} | \
    Get a codespace for the authenticated user
    issues/list-for-repo | GET /repos/{owner}/{repo}/issues | List repository issues
    issues/create | POST /repos/{owner}/{repo}/issues | Create an issue
    migrations/get-large-files | GET /repos/{owner}/{repo}/import/large_files | Get large files
    projects/create-for-repo | POST /repos/{owner}/{repo}/projects | Create a repository project
    pulls/list | GET /repos/{owner}/{repo}/pulls | List pull requests
    pulls/get | GET /repos/{owner}/{repo}/pulls/{pull_number} | Get a pull request
    pulls/list-requested-reviewers | GET /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers | \
    List requested reviewers for a pull request
    repos/create-in-org | POST /orgs/{org}/repos | Create an organization repository
    repos/get | GET /repos/{owner}/{repo} | Get a repository
    repos/get-pull-request-review-protection | \
    GET /repos/{owner}/{repo}/branches/{branch}/protection/required_pull_request_reviews | \
    Get pull request review protection
    repos/list-pull-requests-associated-with-commit | GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls | \
    List pull requests associated with a commit
    repos/get-content | GET /repos/{owner}/{repo}/contents/{path} | Get repository content
    repos/create-or-update-file-contents | PUT /repos/{owner}/{repo}/contents/{path} | \
    Create or update file contents
    repos/create-webhook | POST /repos/{owner}/{repo}/hooks | Create a repository webhook
    repos/create-for-authenticated-user | POST /user/repos | Create a repository for the authenticated user
    users/get-authenticated | GET /user | Get the authenticated user
    users/list | GET /users | List users
    """
  private static let twilio = """
    CreateCallRecording | POST /2010-04-01/Accounts/{AccountSid}/Calls/{CallSid}/Recordings.json | \
    Create a recording for the call
    ListCallRecording | GET /2010-04-01/Accounts/{AccountSid}/Calls/{CallSid}/Recordings.json | \
    Retrieve a list of recordings belonging to the call used to make the request
    CreateCall | POST /2010-04-01/Accounts/{AccountSid}/Calls.json | \
    Create a new outgoing call to phones, SIP-enabled endpoints or Twilio Client connections
    ListCall | GET /2010-04-01/Accounts/{AccountSid}/Calls.json | \
    Retrieves a collection of calls made to and from your account
    FetchCall | GET /2010-04-01/Accounts/{AccountSid}/Calls/{Sid}.json | \
    Fetch the call specified by the provided Call SID
    UpdateCall | POST /2010-04-01/Accounts/{AccountSid}/Calls/{Sid}.json | \
    Initiates a call redirect or terminates a call
    CreateMessage | POST /2010-04-01/Accounts/{AccountSid}/Messages.json | Send a message
    FetchOutgoingCallerId | GET /2010-04-01/Accounts/{AccountSid}/OutgoingCallerIds/{Sid}.json | \
    Fetch an outgoing-caller-id belonging to the account used to make the request
    """
  private static let box = """
    delete_files_id | DELETE /files/{file_id} | Delete file
    delete_folder_locks_id | DELETE /folder_locks/{folder_lock_id} | Delete folder lock
    get_folders_id | GET /folders/{folder_id} | Get folder information
    put_folders_id | PUT /folders/{folder_id} | Update folder
    delete_folders_id | DELETE /folders/{folder_id} | Delete folder
    post_folders | POST /folders | Create folder
    """

  private func names(_ table: String, _ query: String) -> [String] {
    let lines = table.split(separator: "\n").map { line in
      let columns = line.split(separator: " | ").map(String.init)
      let call = columns[1].split(separator: " ").map(String.init)
      return OperationList.Line(name: columns[0], method: call[0], path: call[1], summary: columns[2])
    }
    return OperationList(lines).nearest(to: query).map(\.name)
  }

  @Test(
    "A plain request finds its operation among the first",
    arguments: [
      (gitHub, "list pull requests of a repo", "pulls/list", 3),
      (gitHub, "get the authenticated user", "users/get-authenticated", 1),
      (gitHub, "create a repo", "repos/create-for-authenticated-user", 3),
      (gitHub, "create a repository", "repos/create-in-org", 3),
      (gitHub, "get file contents", "repos/get-content", 2),
      (gitHub, "list the issues", "issues/list-for-repo", 1),
      (gitHub, "createIssue", "issues/create", 1),
      (twilio, "make a call", "CreateCall", 3),
      (twilio, "send an SMS message", "CreateMessage", 1),
      (box, "delete a folder", "delete_folders_id", 1),
      (box, "DELETE folders", "delete_folders_id", 1),
    ])
  func plainRequests(table: String, query: String, name: String, place: Int) {
    let found = names(table, query)
    #expect(found.prefix(place).contains(name), "\(found)")
    #expect(Set(found).count == found.count)
  }

  @Test("Meaningless words find nothing by themselves, and short ones find only whole words")
  func shortWords() {
    #expect(names(Self.box, "of the") == [])
    #expect(names(Self.box, "qqq") == [])
    #expect(names(Self.box, "") == [])
    #expect(names(Self.box, "id").contains("put_folders_id"))
    #expect(names(Self.box, "fo") == [])
  }

  @Test("An unknown name gets the closest ones") func clauses() {
    let list = OperationList([
      .init(name: "createPet", method: "POST", path: "/pets", summary: "Adds one."),
      .init(name: "getPet", method: "GET", path: "/pets/{id}", summary: "One."),
    ])
    #expect(list.clause(for: "create") == "; the nearest is createPet")
    #expect(list.clause(for: "pets").hasPrefix("; the nearest are "))
    #expect(list.clause(for: "zzz") == "")
  }

  @Test("A meaningless request finds nothing by itself, and a method is found by its name")
  func oddRequests() {
    for text in ["", "the of", "?!"] { #expect(OperationSearch.saysNothing(text)) }
    let lines = [("editIt", "PATCH"), ("seeIt", "GET")].map { name, method in
      OperationList.Line(name: name, method: method, path: "/it", summary: "")
    }
    #expect(OperationSearch(lines).matches("PATCH").map(\.name) == ["editIt"])
    #expect(OperationSearch(lines).matches(String(repeating: "edit it ", count: 100_000)).count == 1)
  }
}
