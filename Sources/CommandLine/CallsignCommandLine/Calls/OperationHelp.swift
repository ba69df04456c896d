import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import CallsignSupport

/// The help of an operation: what it does, what it takes, and which credentials it accepts.
package struct OperationHelp {
  /// The text, ready to print. The catalogue's texts, which may be untrusted, are sanitized.
  package let text: String

  /// - Parameters:
  ///   - command: The words before the parameters, such as `xapi createPosts`.
  ///   - api: The API, for describing its keys. By default, keys are not described.
  package init(_ operation: DynamicOperation, command: String, api: API? = nil) {
    let endpoint = operation.endpoint
    var lines: [String] = []
    if let summary = endpoint.summary { lines += [summary, ""] }
    lines.append("\(endpoint.method) \(operation.facts.baseURL)\(endpoint.path)")
    let parameters = endpoint.parameters.filter { $0.constant == nil }
    let required = parameters.filter { !$0.type.isOptional }
    let usage =
      required.map { Self.word($0.name, value: "…") } + (required.count == parameters.count ? [] : ["[--parameter …]"])
    lines += ["", "Usage: \(([command] + usage).joined(separator: " "))"]
    if let deprecation = endpoint.deprecation {
      lines += ["", "Deprecated." + (deprecation.message.map { " " + $0 } ?? "")]
    }
    if !parameters.isEmpty {
      lines += ["", "Parameters:"]
      for parameter in required + parameters.filter(\.type.isOptional) {
        let mark = parameter.type.isOptional ? "" : " (required)"
        lines.append("  \(Self.word(parameter.name))\(mark)")
        if CallWords.isOption(parameter.name) {
          lines.append("      (without hyphens: --\(parameter.name) is an option of the program)")
        }
        if let summary = parameter.summary { lines.append("      \(summary)") }
        let fallback = parameter.defaultValue.map { "; default: \($0.words.filter { $0 != "`" })" } ?? ""
        lines.append("      " + operation.phrase(for: parameter.type) + fallback)
        lines += ObjectMembers(operation).lines(of: parameter)
      }
    }
    for rule in endpoint.rules {
      let names = rule.parameters.joined(separator: ", ")
      switch rule.kind {
      case .oneOf: lines += ["", "\(rule.isOptional ? "At most" : "Exactly") one way of: \(names)"]
      case .anyOf: lines += ["", "At least one of: \(names)"]
      case .together: lines += ["", "Together or not at all: \(names)"]
      }
    }
    if !operation.facts.auth.isEmpty { lines += ["", "Credentials: \(operation.facts.auth)"] }
    let schemes = Set(endpoint.auth.flatMap(\.all).map(\.scheme))
    for scheme in api?.schemes ?? [] where schemes.contains(scheme.name) {
      if let key = scheme.key { lines.append("  \(scheme.name): " + Self.phrase(key)) }
    }
    if !endpoint.limits.isEmpty {
      lines += ["", "Limits: " + endpoint.limits.map(Self.phrase).joined(separator: ", ")]
    }
    if operation.hasPages { lines += ["", "It has pages: --all reads them."] }
    if endpoint.poll != nil {
      lines += ["", "It starts an operation, and waits until that is over; --no-wait ends with the first response."]
    }
    if operation.isStream { lines += ["", "It streams until it is interrupted."] }
    if let page = endpoint.documentation { lines += ["", page] }
    text = (lines.joined(separator: "\n") + "\n").printableLines
  }

  /// A parameter as typed: without hyphens if the program has an option with the same name.
  private static func word(_ name: String, value: String? = nil) -> String {
    if CallWords.isOption(name) { return "\(name)=…" }
    return "--\(name)" + (value.map { " \($0)" } ?? "")
  }

  /// `a key in the header Authorization, sent as "Token KEY"; give the key alone`.
  private static func phrase(_ key: KeyPlace) -> String {
    let place = "a key in the \(key.part.rawValue) \(key.name)"
    guard let prefix = key.prefix, !prefix.isEmpty else { return place }
    return place + ", sent as \"\(prefix)KEY\"; give only the key"
  }

  /// `300 per user in 15 minutes`.
  package static func phrase(_ limit: RateLimit) -> String {
    let window = limit.windowSeconds
    let units = [(length: 86_400, name: "day"), (length: 3_600, name: "hour"), (length: 60, name: "minute")]
    let unit = units.first { window % $0.length == 0 } ?? (length: 1, name: "second")
    let count = window / unit.length
    return "\(limit.requests) per \(limit.subject) in \(count) \(unit.name)\(count == 1 ? "" : "s")"
  }

  /// The options of every call, for the help of a command.
  package static let options = """
    Give parameters as --name value, --name=value or name=value, and as JSON by name:=json. Separate a list by
    commas, or repeat the option. Dots lead into objects: --reply.in_reply_to_tweet_id 20. Give a file by its
    path, or - for standard input.

    Options:
      --body FILE          take the members of the body from a JSON file, or from standard input (-); a body that is
                           not JSON is all of the file
      --data JSON          the body itself, or @FILE, as in curl (-d)
      --all                read all pages, an element a line
      --max-items N        with --all: end after so many elements
      --no-wait            do not wait for the end of the operation that the call starts
      --output FORMAT      json, lines, table, yaml or csv (-o); default: json, in a pipe without line breaks
      --fields A,B.C       show only these members
      --filter EXPRESSION  pick from the response by JMESPath: "data[].username"; with --all and streams, from each element
      --raw                write texts without quotation marks, for scripts (-r)
      --dry-run            check the arguments and print the request, without sending it
      --curl               print the request as a command for curl, without credentials
      --no-check           leave bounds, patterns and values of enums to the API
      --base-url URL       send everything to this server, such as a sandbox; the URL may end with the API's own base path
      --credentials FILE   a JSON file with credentials that only its owner can read
      --profile NAME       the credentials of that login
      --account NAME       whose credentials, if the file has several
      --idempotency-key K  the key that the API recognizes the call by, if it takes one: with the same key as before,
                           a call whose response was lost can be made again
      --cert FILE          the client's certificate for a server that asks for one: PEM, or PKCS#12 as .p12 or .pfx; the
                           password of its key is in CALLSIGN_CERT_PASSWORD
      --cert-key FILE      the certificate's key, if it is in a separate file
      --cacert FILE        the certificate authorities to trust in place of the system's
      --timeout SECONDS    the longest that the whole call may take
      --verbose            report requests and responses with their bodies, without secrets (-v)
      --help               what the operation takes (-h)

    """
}
