// The readers' declarations are internal: debug builds see them, and the release build of `Scripts/fuzz`.
#if DEBUG || CALLSIGN_FUZZ
  import CallsignCommandLine
  import Foundation
  import HTTPTypes
  import TestSupport

  @testable import Callsign
  @testable import CallsignAuth
  @testable import CallsignCLICredentials
  @testable import CallsignCatalogue
  @testable import CallsignHTTP
  @testable import CallsignJSON
  @testable import CallsignOpenAPI
  @testable import CallsignTesting

  /// The readers that are fuzzed. Each has a promise that must hold for every input, besides not crashing.
  enum FuzzTarget {
    typealias Test = (UnsafeBufferPointer<UInt8>) -> Void

    /// Set once, before the first input.
    nonisolated(unsafe) static var chosen: Test?

    static var all: [String: Test] {
      var all: [String: Test] = [
        "json": json, "model": RandomModels.test, "catalogue": catalogue, "importer": importer, "framing": framing,
        "challenge": challenge, "link": link, "events": events, "array": array, "page": page, "accounts": accounts,
        "cassette": cassette, "filter": filter,
      ]
      #if os(Linux)
        all["head"] = head
      #endif
      return all
    }

    /// Ends the process.
    static func promise(_ holds: Bool, _ text: @autoclosure () -> String) {
      if !holds { fatalError("broken promise: \(text())") }
    }

    // MARK: JSON

    /// A value by skipping it.
    private struct Skipped: JSONCodable {
      init(json reader: inout JSONReader) throws(JSONError) { try reader.skip() }
      func write(json writer: inout JSONWriter) { writer.null() }
    }

    /// A value that was read is written and read again as it was; reading and skipping agree.
    private static func json(_ input: UnsafeBufferPointer<UInt8>) {
      let bytes = UnsafeRawBufferPointer(input)
      let value = try? JSONValue(jsonBytes: bytes)
      promise((value == nil) == ((try? Skipped(jsonBytes: bytes)) == nil), "reading and skipping differ")
      guard let value else { return }
      for style in [JSONWriter.Style.compact, .pretty] {
        guard let text = try? value.jsonData(style) else { return promise(false, "what was read cannot be written") }
        promise((try? JSONValue(jsonData: text)) == value, "what was written reads as something else")
      }
      _ = value.description
      _ = try? value.decode([String: [Double]].self)
    }

    // MARK: Filters

    /// The value that filters are applied to, unless they bring their own JSON. It has something of each kind.
    private static let filtered: JSONValue = [
      "people": [["n": "ann", "age": 30, "on": true], ["n": "bob", "age": 20.5], ["n": nil, "age": []]],
      "x": ["b": 2, "a": "1"], "a": [[1, [2]], [], [3]], "foo": ["bar": ["baz": 7]],
    ]

    /// An expression, followed by a zero byte and the JSON that it is applied to. The outcome is a result or a problem with its
    /// location, and it is the same each time.
    private static func filter(_ input: UnsafeBufferPointer<UInt8>) {
      let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
      let text = String(decoding: parts[0], as: UTF8.self)
      let given = parts.count > 1 ? (try? JSONValue(jsonData: Data(parts[1]))) ?? filtered : filtered
      func outcome() -> String {
        do throws(FilterError) {
          let result = try FilterExpression(text).search(given)
          return "\(result)"
        } catch {
          promise((0...text.unicodeScalars.count).contains(error.position), "\(error)")
          return "\(error) \(error.excerpt(of: text))"
        }
      }
      promise(outcome() == outcome(), "the second time differs")
    }

    // MARK: Catalogues

    private static func bytes(_ input: UnsafeBufferPointer<UInt8>) -> [UInt8] { Array(input) }

    /// A catalogue, or errors with places in the text.
    private static func catalogue(_ input: UnsafeBufferPointer<UInt8>) {
      let result = CatalogueLoader().load(files: [CatalogueSource(path: "a.yaml", bytes: bytes(input))])
      promise((result.catalogue == nil) == result.diagnostics.hasErrors, "neither a catalogue nor an error, or both")
      for diagnostic in result.diagnostics {
        promise(diagnostic.location.line >= 1 && diagnostic.location.column >= 1, "\(diagnostic)")
      }
      guard let catalogue = result.catalogue else { return }
      // It can be written, and is the same when it is read again.
      let files = CatalogueWriter(header: []).files(for: catalogue)
      let again = CatalogueLoader().load(
        files: files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) })
      promise(again.catalogue != nil, "a written catalogue is refused: \(again.diagnostics.map(\.description))")
    }

    /// A catalogue that an import makes passes the loader's checks, once written.
    private static func importer(_ input: UnsafeBufferPointer<UInt8>) {
      guard let result = try? OpenAPIImporter().importDocument(bytes(input)) else { return }
      let files = CatalogueWriter(origin: result.origin, overlay: nil).files(for: result.catalogue)
      let loaded = CatalogueLoader().load(
        files: files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) })
      promise(loaded.catalogue != nil, "the loader refuses an import: \(loaded.diagnostics.map(\.description))")
    }

    // MARK: Streams

    /// The records are the same, wherever the stream is cut.
    private static func framing(_ input: UnsafeBufferPointer<UInt8>) {
      guard input.count >= 2 else { return }
      let style: Callsign.StreamFraming = input[0] & 1 == 0 ? .lines : .length
      let limit = input[0] & 2 == 0 ? 64 : 1 << 20
      let stream = Data(input.dropFirst(2))
      let whole = records(of: stream, pieces: [stream.count], style, limit)
      var random = SeededGenerator(seed: UInt64(input[1]))
      let cut = records(of: stream, pieces: (0..<40).map { _ in Int(random.next() % 9) }, style, limit)
      promise(whole.records.starts(with: cut.records) || cut.records.starts(with: whole.records), "records differ")
      promise(whole.isRefused == cut.isRefused, "one is refused, and the other not")
      if !whole.isRefused { promise(whole.records == cut.records, "records differ: \(whole.records), \(cut.records)") }
    }

    /// The events, and the position to resume from, are the same wherever the stream is cut.
    private static func events(_ input: UnsafeBufferPointer<UInt8>) {
      guard input.count >= 2 else { return }
      let stream = Data(input.dropFirst(2))
      let details = EndpointDetails(input[0] & 1 == 0 ? "whole" : "end [DONE]")
      let limit = input[0] & 2 == 0 ? 64 : 1 << 20
      let whole = records(of: stream, pieces: [stream.count], .events, limit, details)
      var random = SeededGenerator(seed: UInt64(input[1]))
      let cut = records(of: stream, pieces: (0..<40).map { _ in Int(random.next() % 9) }, .events, limit, details)
      promise(whole.isRefused == cut.isRefused, "one is refused, and the other not")
      promise(whole.records == cut.records, "events differ: \(whole.records), \(cut.records)")
      if details.hasWholeEvents {
        for record in whole.records { promise((try? JSONValue(jsonData: record)) != nil, "an event is no JSON") }
      }
    }

    /// The elements of a JSON array are the same as the reader's, wherever the array is cut.
    private static func array(_ input: UnsafeBufferPointer<UInt8>) {
      guard input.count >= 2 else { return }
      let document = Data(input.dropFirst(2))
      let whole = records(of: document, pieces: [document.count], .array, 1 << 20)
      var random = SeededGenerator(seed: UInt64(input[1]))
      let cut = records(of: document, pieces: (0..<40).map { _ in Int(random.next() % 9) }, .array, 1 << 20)
      promise(whole.records == cut.records && whole.isRefused == cut.isRefused, "elements differ")
      guard let elements = (try? JSONValue(jsonData: document))?.array else { return }
      promise(!whole.isRefused, "an array is refused")
      promise(whole.records.compactMap { try? JSONValue(jsonData: $0) } == elements, "elements are not the array's")
    }

    /// Text in the form of links is read as links; other text does no harm.
    private static func link(_ input: UnsafeBufferPointer<UInt8>) {
      let text = String(decoding: input, as: UTF8.self)
      for link in LinkHeader(text).links {
        promise(!link.target.utf8.contains(UInt8(ascii: ">")), "a target goes beyond its end")
      }
      let target = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != ">" }))
      promise(LinkHeader("<\(target)>; a=\"\\\"<x>\"; rel=\"next\"").target(["next"]) == target, "a link is lost")
    }

    private static func records(
      of stream: Data, pieces: [Int], _ style: Callsign.StreamFraming, _ limit: Int, _ details: EndpointDetails = .none
    ) -> (records: [Data], isRefused: Bool) {
      var framing = RecordFraming(style, limit: limit, details: details)
      var found: [Data] = []
      var rest = stream
      var number = 0
      do {
        while !rest.isEmpty {
          let size = number < pieces.count ? pieces[number] : rest.count
          number += 1
          framing.append(Data(rest.prefix(size)))
          rest = Data(rest.dropFirst(size))
          while let record = try framing.next() { found.append(record) }
        }
      } catch { return (found, true) }
      if let last = framing.rest() { found.append(last) }
      return (found, false)
    }

    // MARK: HTTP

    #if os(Linux)
      /// A head, line by line as libcurl hands it over, and what is read of its fields.
      private static func head(_ input: UnsafeBufferPointer<UInt8>) {
        var parser = CurlHeadParser()
        var rest = UnsafeRawBufferPointer(input)[...]
        while !rest.isEmpty {
          let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { rest.index(after: $0) } ?? rest.endIndex
          guard let head = try? parser.read(line: UnsafeRawBufferPointer(rebasing: rest[..<end])) else {
            rest = rest[end...]
            continue
          }
          promise((100...999).contains(head.status.code), "status \(head.status.code)")
          let fields = head.headerFields
          _ = HTTPChallenge.all(in: fields)
          _ = RateLimit(standardFields: fields)
          _ = RawResponse(status: head.status, headers: fields, body: Data()).body.count
          for field in fields { _ = field.value }
          return
        }
      }
    #endif

    /// Challenges, and Digest's response to the best one.
    private static func challenge(_ input: UnsafeBufferPointer<UInt8>) {
      let text = String(decoding: input, as: UTF8.self)
      let challenges = HTTPChallengeParser.read(text)
      for challenge in challenges {
        promise(challenge.scheme == challenge.scheme.lowercased() && !challenge.scheme.isEmpty, "\(challenge.scheme)")
      }
      _ = DigestChallenge.best(of: challenges)
      _ = HTTPChallengeParser.readParameters(text)
    }

    // MARK: Forms

    /// A provider's page: its forms as they would be sent, its links, its PIN.
    private static func page(_ input: UnsafeBufferPointer<UInt8>) {
      let page = HTMLPage(Data(input))
      let url = AbsoluteURL("https://api.example.com/oauth/authorize?a=b")
      for form in page.forms {
        _ = form.fields(filled: ["a": "b"])
        _ = form.action.flatMap { url?.resolving($0) }
      }
      for link in page.links {
        guard let target = url?.resolving(link) else { continue }
        promise(AbsoluteURL(target.text) != nil, "a link leads to what is no URL: \(target.text)")
      }
      _ = page.pin
    }

    // MARK: Files

    /// The files of `xurl` and `twurl`; the first byte says which.
    private static func accounts(_ input: UnsafeBufferPointer<UInt8>) {
      guard let first = input.first else { return }
      let file: CLIAccountFile = first & 1 == 0 ? .xurl(URL(fileURLWithPath: "/a")) : .twurl(URL(fileURLWithPath: "/a"))
      guard let root = try? file.yaml(Data(input.dropFirst())) else { return }
      let found =
        first & 1 == 0 ? try? XurlFile(file: file).accounts(in: root) : try? TwurlFile(file: file).accounts(in: root)
      for account in found ?? [] {
        _ = try? account.authenticators()
        _ = account.label
      }
    }

    /// A cassette, and the same once more when it has been written.
    private static func cassette(_ input: UnsafeBufferPointer<UInt8>) {
      guard let cassette = try? Cassette(Data(input), file: "a") else { return }
      for exchange in cassette.exchanges {
        _ = exchange.requestBody.data
        _ = exchange.responseBody.data
      }
      guard let text = try? cassette.text(file: "a") else { return promise(false, "what was read cannot be written") }
      promise(
        (try? Cassette(text, file: "a"))?.exchanges == cassette.exchanges, "what was written reads as something else")
    }
  }
#endif
