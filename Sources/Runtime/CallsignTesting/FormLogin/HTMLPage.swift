import CallsignHTTP
import Foundation

/// The parts of a page that matter to a login: forms, links, and texts that could be a PIN.
struct HTMLPage {
  private(set) var forms: [HTMLForm] = []
  /// The URLs that links and the page itself lead to: `href` of `a`, and the URL of a `refresh`.
  private(set) var links: [String] = []
  /// The URL that the page leads to automatically; `nil` if it stays.
  private(set) var refresh: String?
  /// The texts of elements with a name that PINs have, and of elements that contain code.
  private var namedCodes: [String] = []
  private var otherCodes: [String] = []

  /// An element whose text is collected.
  private struct Capture {
    let element: String
    let isNamed: Bool
    var text = ""
  }
  private var captures: [Capture] = []
  private var form: HTMLForm?
  /// A `select` whose choice is still unknown.
  private var choice: (control: HTMLForm.Control, isChosen: Bool)?
  private var longText: HTMLForm.Control?

  /// The maximum depth of nested elements to collect; with more, text would be copied too often.
  private static let captureLimit = 8

  init(_ body: Data) {
    for token in HTMLTokens(body) {
      switch token {
      case .start(let name, let attributes): start(name, attributes)
      case .end(let name): end(name)
      case .text(let text):
        longText?.value += text
        for index in captures.indices where captures[index].text.utf8.count < 256 { captures[index].text += text }
      }
    }
    closeForm()
    while let capture = captures.popLast() { keep(capture) }
  }

  /// The PIN that the page shows; `nil` if it shows none, or several.
  var pin: String? {
    let named = Set(namedCodes)
    if let code = named.first { return named.count == 1 ? code : nil }
    let others = Set(otherCodes)
    return others.count == 1 ? others.first : nil
  }

  private mutating func start(_ name: String, _ attributes: [String: String]) {
    let words = Self.words(attributes["id"], attributes["class"], attributes["name"])
    let isNamed = !words.isDisjoint(with: ["pin", "verifier"])
    if isNamed || name == "code" || name == "kbd", !["input", "form", "button"].contains(name),
      captures.count < Self.captureLimit
    {
      captures.append(Capture(element: name, isNamed: isNamed || captures.contains(where: \.isNamed)))
    }
    switch name {
    case "form":
      // A form within a form does not count.
      guard form == nil else { break }
      form = HTMLForm(
        action: attributes["action"], method: attributes["method"]?.lowercased() == "post" ? "post" : "get",
        isMultipart: attributes["enctype"]?.lowercased() == "multipart/form-data")
    case "a": attributes["href"].map { links.append($0) }
    case "meta" where attributes["http-equiv"]?.lowercased() == "refresh":
      guard let content = attributes["content"], let url = content.range(of: "url=", options: .caseInsensitive) else {
        break
      }
      let target = content[url.upperBound...].trimmingCharacters(in: CharacterSet(charactersIn: " '\""))
      refresh = target
      links.append(target)
    case "input":
      if isNamed || words.contains("code"), attributes["readonly"] != nil {
        keep(Capture(element: name, isNamed: true, text: attributes["value"] ?? ""))
      }
      add(control(attributes, kind: Self.inputKind(attributes)), attributes)
    case "button":
      let type = attributes["type"]?.lowercased() ?? "submit"
      add(control(attributes, kind: type == "submit" ? .submit : nil), attributes)
    case "select": choice = control(attributes, kind: .fixed).map { ($0, false) }
    case "option":
      guard let current = choice, !current.isChosen, let value = attributes["value"] else { break }
      let isChosen = attributes["selected"] != nil
      if isChosen || current.control.value.isEmpty { choice?.control.value = value }
      choice?.isChosen = isChosen
    case "textarea":
      longText = control(attributes, kind: .fixed)
      longText?.value = ""
    default: break
    }
  }

  private mutating func end(_ name: String) {
    if let index = captures.lastIndex(where: { $0.element == name }) { keep(captures.remove(at: index)) }
    switch name {
    case "form": closeForm()
    case "select":
      if let choice { add(choice.control, [:]) }
      choice = nil
    case "textarea":
      if let longText { add(longText, [:]) }
      longText = nil
    default: break
    }
  }

  private mutating func closeForm() {
    if let form { forms.append(form) }
    form = nil
  }

  private mutating func keep(_ capture: Capture) {
    let text = capture.text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (4...256).contains(text.utf8.count),
      text.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") })
    else { return }
    // Code without a digit is more likely a name than a PIN.
    if capture.isNamed { namedCodes.append(text) } else if text.contains(where: \.isNumber) { otherCodes.append(text) }
  }

  private mutating func add(_ control: HTMLForm.Control?, _ attributes: [String: String]) {
    guard let control, attributes["disabled"] == nil else { return }
    form?.controls.append(control)
  }

  private func control(_ attributes: [String: String], kind: HTMLForm.Control.Kind?) -> HTMLForm.Control? {
    guard let kind else { return nil }
    let name = attributes["name"] ?? ""
    let isBox = ["checkbox", "radio"].contains(attributes["type"]?.lowercased())
    return HTMLForm.Control(
      kind: kind, name: name, value: attributes["value"] ?? (isBox ? "on" : ""),
      words: Self.words(
        name, attributes["id"], attributes["autocomplete"], kind == .submit ? attributes["value"] : nil))
  }

  /// `nil` for a control that is not sent.
  private static func inputKind(_ attributes: [String: String]) -> HTMLForm.Control.Kind? {
    switch attributes["type"]?.lowercased() ?? "text" {
    case "password": .password
    case "submit": .submit
    case "hidden": .fixed
    case "checkbox", "radio": attributes["checked"] == nil ? nil : .fixed
    case "button", "reset", "image", "file": nil
    default: .text
    }
  }

  /// The words in names such as `session[username_or_email]`.
  private static func words(_ texts: String?...) -> Set<String> {
    Set(
      texts.compactMap { $0?.lowercased() }.flatMap { text in
        text.split { !($0.isLetter || $0.isNumber) }.map(String.init)
      })
  }
}

/// A form of a page, and its content.
struct HTMLForm: Equatable {
  /// A control that can be sent.
  struct Control: Equatable {
    enum Kind {
      /// Sent unchanged: hidden fields, ticked boxes, choices, long texts.
      case fixed
      /// A line of text that the user fills in.
      case text
      case password
      /// A button that sends the form.
      case submit
    }

    var kind: Kind
    var name: String
    var value: String
    /// Words that say what the control is for: from its name, id, value and `autocomplete`.
    var words: Set<String> = []
  }

  /// The URL that it is sent to; `nil` or empty means the page's own URL.
  var action: String?
  /// `get`, unless it says `post`.
  var method = "get"
  var isMultipart = false
  var controls: [Control] = []

  var passwords: [Control] { controls.filter { $0.kind == .password } }

  /// The control for the username: one with such a name, otherwise the last line of text before the password.
  var username: Control? {
    let before = controls.prefix { $0.kind != .password }.filter { $0.kind == .text }
    let all = controls.filter { $0.kind == .text }
    let names: Set<String> = ["user", "username", "login", "email", "account", "userid", "screenname", "identifier"]
    return (before + all).first { !$0.words.isDisjoint(with: names) } ?? before.last ?? all.first
  }

  /// The button that a user who agrees presses.
  var agreeing: Control? {
    let refusals: Set<String> = ["cancel", "deny", "denied", "decline", "reject", "refuse", "abort", "no", "back"]
    return controls.first { $0.kind == .submit && $0.words.isDisjoint(with: refusals) }
  }

  /// The fields that are sent, in the page's order (WHATWG HTML §4.10.22.4): everything that has a name, and of the
  /// buttons only the one that agrees.
  ///
  /// - Parameter filled: The values that were filled in, by control name.
  func fields(filled: [String: String]) -> [(name: String, value: String)] {
    var hasButton = false
    return controls.compactMap { control in
      if control.kind == .submit {
        guard control == agreeing, !hasButton else { return nil }
        hasButton = true
      }
      return control.name.isEmpty ? nil : (control.name, filled[control.name] ?? control.value)
    }
  }
}
