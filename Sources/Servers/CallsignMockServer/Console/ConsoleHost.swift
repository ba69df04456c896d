/// A server that a console shows: the sandbox, or a mock.
///
/// Nothing that it hands over has credentials in it.
package protocol ConsoleHost: Sendable {
  /// The facts that do not change while the server runs.
  func facts() async -> ConsoleFacts
  /// The requests with a greater number, oldest first, and not more than so many of the last ones.
  func requests(after number: Int, atMost limit: Int) async -> [ConsoleRequest]
  /// The facts that change from moment to moment.
  func status() async -> ConsoleStatus
  /// The newest rows of a table; `nil` where there is no such table.
  func table(_ name: String) async -> ConsoleTable?
  /// Calls an operation.
  func call(_ call: ConsoleCall) async throws(ConsoleProblem) -> ConsoleResponse
  func inject(_ fault: ConsoleFault) async throws(ConsoleProblem)
  func removeFaults() async
  /// Moves the time on by so many seconds; `nil`: back to the time of the clock on the wall.
  func moveTime(by seconds: Double?) async throws(ConsoleProblem)
  func forgetRequests() async
}

/// A refusal in words for the person.
package struct ConsoleProblem: Error {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// The facts that do not change while a server runs.
package struct ConsoleFacts: Encodable, Sendable {
  /// The heading.
  package var title: String
  /// A sentence below it.
  package var summary: String
  /// Whether the time can be moved.
  package var hasTime = false
  /// Whether the server verifies signatures.
  package var hasSignatures = false
  /// How clients reach the server and with which accounts, in a few lines.
  package var guide: [ConsoleField] = []
  package var operations: [Operation]
  /// As whom an operation can be called.
  package var identities: [Choice]
  package var faults: [Choice]

  package init(
    title: String, summary: String, operations: [Operation], identities: [Choice], faults: [Choice]
  ) {
    self.title = title
    self.summary = summary
    self.operations = operations
    self.identities = identities
    self.faults = faults
  }

  /// One of several, with the value that it takes.
  package struct Choice: Encodable, Sendable {
    package var id: String
    package var label: String
    /// The name of its value, such as `bytes`; `nil`: it has none.
    package var value: String?
    /// The value at first.
    package var initial: String?

    package init(_ id: String, _ label: String, value: String? = nil, initial: String? = nil) {
      self.id = id
      self.label = label
      self.value = value
      self.initial = initial
    }
  }

  /// An operation that can be called.
  package struct Operation: Encodable, Sendable {
    /// The name by which faults and calls mean it.
    package var id: String
    package var method: String
    /// With `{placeholders}`.
    package var path: String
    package var summary: String?
    /// The parameters of the path and the query.
    package var parameters: [Parameter] = []
    /// A body to begin with; `nil`: it takes none.
    package var body: String?

    package init(id: String, method: String, path: String) {
      self.id = id
      self.method = method
      self.path = path
    }
  }

  /// A parameter in the path or the query.
  package struct Parameter: Encodable, Sendable {
    package var name: String
    package var isInPath: Bool
    package var isRequired: Bool
    /// The values that are allowed, in a few words.
    package var hint: String

    package init(name: String, isInPath: Bool, isRequired: Bool, hint: String) {
      self.name = name
      self.isInPath = isInPath
      self.isRequired = isRequired
      self.hint = hint
    }
  }
}

/// A name and a value.
package struct ConsoleField: Codable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request that arrived.
package struct ConsoleRequest: Encodable, Sendable {
  /// Its place in the order of arrivals.
  package var number: Int
  /// The time at which it came, by the server's clock, as ISO 8601; `nil`: not known.
  package var time: String?
  package var method: String
  /// Path and query.
  package var target: String
  /// The name of the operation.
  package var operation: String?
  /// 0 where the connection was closed.
  package var status: Int
  /// The reasons why it was refused.
  package var problems: [String] = []
  package var headers: [ConsoleField] = []
  package var body = ""
  package var signature: ConsoleSignature?

  package init(number: Int, method: String, target: String, status: Int) {
    self.number = number
    self.method = method
    self.target = target
    self.status = status
  }
}

/// A signature of OAuth 1.0a, taken apart.
package struct ConsoleSignature: Encodable, Sendable {
  package var isValid: Bool
  /// The reason in a sentence.
  package var verdict: String
  /// Method, address and parameters as the server read them, and the parameters of the protocol.
  package var parts: [ConsoleField]
  /// The base string that the server computed; `nil` where it came to none.
  package var computed: String?
  /// The base string that the client signed, where its mistake is known.
  package var signed: String?

  package init(isValid: Bool, verdict: String, parts: [ConsoleField], computed: String?, signed: String?) {
    self.isValid = isValid
    self.verdict = verdict
    self.parts = parts
    self.computed = computed
    self.signed = signed
  }
}

/// The facts that change from moment to moment.
package struct ConsoleStatus: Encodable, Sendable {
  /// The server's time as ISO 8601; `nil`: it has none of its own.
  package var time: String?
  /// By how many seconds it is ahead of the clock on the wall.
  package var offset: Double = 0
  package var limits: [Limit] = []
  /// The faults to come, in words.
  package var faults: [String] = []
  package var faultCount = 0
  /// The names of the tables with the numbers of their rows.
  package var tables: [Size] = []

  package init() {}

  /// A rate window that has been opened.
  package struct Limit: Encodable, Sendable {
    package var operation: String
    /// The words for the user or app that used it.
    package var who: String
    package var limit: Int
    package var remaining: Int
    /// The seconds until it begins anew.
    package var seconds: Int

    package init(operation: String, who: String, limit: Int, remaining: Int, seconds: Int) {
      self.operation = operation
      self.who = who
      self.limit = limit
      self.remaining = remaining
      self.seconds = seconds
    }
  }

  package struct Size: Encodable, Sendable {
    package var name: String
    package var count: Int

    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }
}

/// Some rows of what a server keeps.
package struct ConsoleTable: Encodable, Sendable {
  package var columns: [String]
  package var rows: [[String]]

  package init(columns: [String], rows: [[String]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// A call that a person asks for.
package struct ConsoleCall: Decodable, Sendable {
  package var operation: String
  /// The values of parameters by their names; those that were left empty are missing.
  package var values: [String: String]
  /// Further parameters of the query, as `name=value`, a line each.
  package var query: String
  package var body: String
  package var identity: String
}

/// The response to a call.
package struct ConsoleResponse: Encodable, Sendable {
  /// 0 where the connection would be closed without a response.
  package var status: Int
  package var headers: [ConsoleField]
  package var body: String

  package init(status: Int, headers: [ConsoleField], body: String) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A fault that a person asks for.
package struct ConsoleFault: Decodable, Sendable {
  /// The operation's name, or `*`.
  package var operation: String
  package var kind: String
  package var value: String
  package var times: Int
}
