/// A form of a page, and what is in it.
struct HTMLForm: Equatable {
  /// A control that can be sent.
  struct Control: Equatable {
    enum Kind {
      /// Sent as it stands: hidden fields, ticked boxes, choices, long texts.
      case fixed
      /// A line of text that a person fills in.
      case text
      case password
      /// A button that sends the form.
      case submit
    }

    var kind: Kind
    var name: String
    var value: String
    /// Words that say what it is for: of its name, id, value and `autocomplete`.
    var words: Set<String> = []
  }

  /// Where it is sent; `nil` or empty: to the page's own URL.
  var action: String?
  /// `get` unless it says `post`.
  var method = "get"
  var isMultipart = false
  var controls: [Control] = []

  var passwords: [Control] { controls.filter { $0.kind == .password } }

  /// The control that takes the username: one that is called so, else the last line of text before the password.
  var username: Control? {
    let before = controls.prefix { $0.kind != .password }.filter { $0.kind == .text }
    let all = controls.filter { $0.kind == .text }
    let names: Set<String> = ["user", "username", "login", "email", "account", "userid", "screenname", "identifier"]
    return (before + all).first { !$0.words.isDisjoint(with: names) } ?? before.last ?? all.first
  }

  /// The button that a person who agrees presses.
  var agreeing: Control? {
    let refusals: Set<String> = ["cancel", "deny", "denied", "decline", "reject", "refuse", "abort", "no", "back"]
    return controls.first { $0.kind == .submit && $0.words.isDisjoint(with: refusals) }
  }

  /// What is sent, in the page's order (WHATWG HTML §4.10.22.4): all that has a name, of the buttons the agreeing one.
  ///
  /// - Parameter filled: What was filled in, by control name.
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
