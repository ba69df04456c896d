/// Includes the files that a document refers to in the document itself, under `x-files`, and redirects the references there.
struct ReferenceBundler {
  /// The document's own name; empty if it has none.
  private let fileName: String
  private let readFile: ((String) throws(ImportError) -> [UInt8]?)?
  private let readURL: ((String) throws(ImportError) -> [UInt8]?)?
  /// The document's own URI (`$self`, OpenAPI 3.2), which references may use, and the folder of that URI.
  private var ownURI: String?
  private var ownFolder: String?
  private let log: ImportLog
  /// The files that were read: their names under `x-files`, by path; `nil` for a file that is missing or cannot be read.
  private var names: [String: String?] = [:]
  private var files = DocumentObject()
  private var counter = NameCounter()
  /// The pointers of schemas by their `$anchor`, for each file by name. The document's own name is empty.
  private var anchors: [String: [String: String]] = [:]
  private var texts: [String: DocumentValue] = [:]
  /// The maximum number of files. It exceeds that of any document, so that one generated without end does not fill the memory.
  private static let maximumFiles = 5000

  init(
    fileName: String, readFile: ((String) throws(ImportError) -> [UInt8]?)?,
    readURL: ((String) throws(ImportError) -> [UInt8]?)?, log: ImportLog
  ) {
    self.fileName = fileName
    self.readFile = readFile
    self.readURL = readURL
    self.log = log
  }

  /// The document with everything that it refers to.
  ///
  /// - Throws: ``ImportError`` for a file that is neither JSON nor YAML, if the import is strict.
  func bundled(_ root: DocumentValue) throws(ImportError) -> DocumentValue {
    var bundler = self
    if let uri = root["$self"]?.string {
      bundler.ownURI = String(uri.prefix { $0 != "#" })
      if uri.contains("://"), let slash = uri.lastIndex(of: "/") { bundler.ownFolder = String(uri[...slash]) }
    }
    bundler.texts[""] = root
    let document = try bundler.rewritten(root, file: "", name: nil, at: "#")
    guard !bundler.files.members.isEmpty, var object = document.object else { return document }
    object.set("x-files", .object(bundler.files))
    return .object(object)
  }

  private mutating func rewritten(
    _ value: DocumentValue, file: String, name: String?, at pointer: String, isMapping: Bool = false
  ) throws(ImportError) -> DocumentValue {
    switch value {
    case .list(let list):
      var result: [DocumentValue] = []
      for (index, element) in list.enumerated() {
        result.append(try rewritten(element, file: file, name: name, at: Pointer.child(pointer, String(index))))
      }
      return .list(result)
    case .object(let object):
      var result = DocumentObject()
      for member in object.members {
        let place = Pointer.child(pointer, member.key)
        if case .string(let target) = member.value, member.key == "$ref" || isMapping && Self.isReference(target) {
          result.set(member.key, .string(try reference(target, file: file, name: name, at: place)))
        } else if case .string(let target) = member.value, member.key == "$dynamicRef", object["$ref"] == nil {
          // If nothing overrides the anchor, it is a reference like any other (JSON Schema 2020-12, §8.2.3.2).
          result.set("$ref", .string(try reference(target, file: file, name: name, at: place)))
        } else {
          result.set(
            member.key,
            try rewritten(member.value, file: file, name: name, at: place, isMapping: member.key == "mapping"))
        }
      }
      return .object(result)
    default: return value
    }
  }

  /// Whether a value in a discriminator's mapping is a place instead of a schema's name.
  private static func isReference(_ target: String) -> Bool {
    target.contains("#") || [".json", ".yaml", ".yml"].contains { target.hasSuffix($0) }
  }

  private mutating func reference(
    _ target: String, file: String, name: String?, at place: String
  ) throws(ImportError) -> String {
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    // `#/` stands for the whole file.
    let fragment = parts.count > 1 && parts[1] != "/" ? String(parts[1]) : ""
    guard let path = parts.first, !path.isEmpty else {
      let pointer = self.pointer(fragment, in: name ?? "")
      return name.map { "#/x-files/\(Pointer.escaped($0))\(pointer)" } ?? (fragment.isEmpty ? target : "#" + pointer)
    }
    if String(path) == ownURI { return "#" + pointer(fragment, in: "") }
    var relative = path
    // A file next to the document at the document's own URI is next to it here.
    var base = file
    if let ownFolder, path.hasPrefix(ownFolder) { (relative, base) = (path.dropFirst(ownFolder.count), "") }
    let other: String
    if relative.contains("://") || base.contains("://") {
      other = Self.url(String(relative), from: base)
    } else {
      guard !relative.hasPrefix("/") else { return target }
      other = Self.resolved(Pointer.decoded(String(relative)), from: base)
    }
    // A file may refer back to the document.
    if other == fileName || other.isEmpty { return "#" + pointer(fragment, in: "") }
    guard let known = try self.name(of: other, at: place) else { return target }
    return "#/x-files/\(Pointer.escaped(known))\(pointer(fragment, in: known))"
  }

  /// The place in a file that a fragment names: a pointer, or the `$anchor` of a schema (JSON Schema 2020-12, §8.2.2).
  private mutating func pointer(_ fragment: String, in file: String) -> String {
    if fragment.hasPrefix("/") { return Pointer.canonical(fragment) }
    guard !fragment.isEmpty, let text = texts[file] else { return fragment }
    if anchors[file] == nil {
      var found: [String: String] = [:]
      Self.collectAnchors(of: text, at: "", into: &found)
      anchors[file] = found
    }
    return anchors[file]?[fragment] ?? fragment
  }

  private static func collectAnchors(of value: DocumentValue, at pointer: String, into found: inout [String: String]) {
    switch value {
    case .list(let list):
      for (index, element) in list.enumerated() {
        collectAnchors(of: element, at: Pointer.child(pointer, String(index)), into: &found)
      }
    case .object(let object):
      for member in object.members {
        if case .string(let anchor) = member.value, ["$anchor", "$dynamicAnchor"].contains(member.key) {
          if found[anchor] == nil { found[anchor] = pointer }
        } else {
          collectAnchors(of: member.value, at: Pointer.child(pointer, member.key), into: &found)
        }
      }
    default: break
    }
  }

  /// The name of a file under `x-files`. The file is read on the first request.
  private mutating func name(of path: String, at place: String) throws(ImportError) -> String? {
    if let known = names[path] { return known }
    names[path] = .some(nil)
    guard names.count <= Self.maximumFiles else { return nil }
    guard let readFile = path.contains("://") ? readURL : readFile else { return nil }
    let found = try log.repairing("what refers to it is broken", at: place) { () throws(ImportError) in
      do throws(ImportError) { return try readFile(path) } catch { throw .reference(error.reason, at: place) }
    }
    guard let bytes = found ?? nil else { return nil }
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let stem = file.split(separator: ".").first.map(String.init) ?? file
    let name = counter.free(stem) { [files] in files[$0] != nil }
    // Files may refer to each other.
    names[path] = name
    files.set(name, .null)
    log.files[Pointer.escaped(name)] = path
    let read = try log.repairing("what refers to `\(path)` is taken as any JSON", at: place) { () throws(ImportError) in
      log.file = path
      defer { log.file = "" }
      do throws(ImportError) { return try DocumentParser.parse(bytes, log: log) } catch {
        guard case .syntax(let message, let line, let column) = error else { throw error }
        throw .invalid("\(message) (\(line):\(column))", at: "\(path)#")
      }
    }
    texts[name] = read
    files.set(name, try rewritten(read ?? .null, file: path, name: name, at: "#/x-files/\(Pointer.escaped(name))"))
    return name
  }

  /// Resolves a URL that is relative to another one (RFC 3986 §5.2).
  private static func url(_ reference: String, from base: String) -> String {
    if reference.contains("://") { return reference }
    let parts = base.prefix { $0 != "?" }.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 2 else { return reference }
    let origin = parts.prefix(3).joined(separator: "/")
    let path = parts.count > 3 && !reference.hasPrefix("/") ? String(parts[3]) : ""
    let resolved = Self.resolved(reference, from: path).split(separator: "/").drop { $0 == ".." }
    return origin + "/" + resolved.joined(separator: "/")
  }

  /// Converts a path relative to a file into one relative to the document's folder (RFC 3986 §5.2.4).
  private static func resolved(_ path: String, from file: String) -> String {
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case ".." where parts.last.map { $0 != ".." } ?? false: parts.removeLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
