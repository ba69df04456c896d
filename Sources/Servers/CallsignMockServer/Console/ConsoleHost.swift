/// A server that a console can show: the sandbox, or a mock.
///
/// Nothing that it returns contains credentials.
package protocol ConsoleHost: Sendable {
  /// The facts that do not change while the server runs.
  func facts() async -> ConsoleFacts
  /// The requests with a greater number, oldest first, limited to the last `limit` ones.
  func requests(after number: Int, atMost limit: Int) async -> [ConsoleRequest]
  /// The facts that change from moment to moment.
  func status() async -> ConsoleStatus
  /// The newest rows of a table; `nil` if the table does not exist.
  func table(_ name: String) async -> ConsoleTable?
  /// Calls an operation.
  func call(_ call: ConsoleCall) async throws(ConsoleProblem) -> ConsoleResponse
  func inject(_ fault: ConsoleFault) async throws(ConsoleProblem)
  func removeFaults() async
  /// Moves the server's time forward by a number of seconds; `nil` returns to the real time.
  func moveTime(by seconds: Double?) async throws(ConsoleProblem)
  func forgetRequests() async
}

/// An error message for the person who uses the console.
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
  /// Whether you can move the time.
  package var hasTime = false
  /// Whether the server checks signatures.
  package var hasSignatures = false
  /// How clients reach the server and which accounts they can use, in a few lines.
  package var guide: [ConsoleField] = []
  package var operations: [Operation]
  /// The identities that can call an operation.
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

  /// One of several options, with the value that it takes.
  package struct Choice: Encodable, Sendable {
    package var id: String
    package var label: String
    /// The name of its value, such as `bytes`; `nil` if it has none.
    package var value: String?
    /// The initial value.
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
    /// The ID of the operation in faults and calls.
    package var id: String
    package var method: String
    /// The path with `{placeholders}`.
    package var path: String
    package var summary: String?
    /// The parameters of the path and the query.
    package var parameters: [Parameter] = []
    /// An initial body; `nil` if the operation takes none.
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
    /// A short description of the allowed values.
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

/// A received request.
package struct ConsoleRequest: Encodable, Sendable {
  /// Its position in the order of arrival.
  package var number: Int
  /// The time of arrival on the server's clock, in ISO 8601; `nil` if it is not known.
  package var time: String?
  package var method: String
  /// Path and query.
  package var target: String
  /// The name of the operation.
  package var operation: String?
  /// The status of the response; 0 if the connection was closed.
  package var status: Int
  /// The reasons why it was rejected.
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

/// An OAuth 1.0a signature, split into its parts.
package struct ConsoleSignature: Encodable, Sendable {
  package var isValid: Bool
  /// The reason in one sentence.
  package var verdict: String
  /// The method, URL and parameters as the server read them, and the OAuth parameters.
  package var parts: [ConsoleField]
  /// The base string that the server computed; `nil` if it could not compute one.
  package var computed: String?
  /// The base string that the client signed, if its mistake is known.
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
  /// The server's time in ISO 8601; `nil` if it uses the real time.
  package var time: String?
  /// How many seconds the server's clock is ahead of the real time.
  package var offset: Double = 0
  package var limits: [Limit] = []
  /// The planned faults as text.
  package var faults: [String] = []
  package var faultCount = 0
  /// The names of the tables, with the number of rows in each.
  package var tables: [Size] = []

  package init() {}

  /// A rate limit window that has been opened.
  package struct Limit: Encodable, Sendable {
    package var operation: String
    /// A description of the user or app that used it.
    package var who: String
    package var limit: Int
    package var remaining: Int
    /// The number of seconds until it starts again.
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

/// Some rows of a server's data.
package struct ConsoleTable: Encodable, Sendable {
  package var columns: [String]
  package var rows: [[String]]

  package init(columns: [String], rows: [[String]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// A call requested by a person.
package struct ConsoleCall: Decodable, Sendable {
  package var operation: String
  /// The values of parameters, by name. Parameters left empty are missing.
  package var values: [String: String]
  /// Further query parameters, one `name=value` per line.
  package var query: String
  package var body: String
  package var identity: String
}

/// The response to a call.
package struct ConsoleResponse: Encodable, Sendable {
  /// The status; 0 if the connection would be closed without a response.
  package var status: Int
  package var headers: [ConsoleField]
  package var body: String

  package init(status: Int, headers: [ConsoleField], body: String) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A fault requested by a person.
package struct ConsoleFault: Decodable, Sendable {
  /// The operation's name, or `*`.
  package var operation: String
  package var kind: String
  package var value: String
  package var times: Int
}
