// Sound: the parser's memory does not move from `init` to `deinit`. In `YAMLDocument`, the text outlives the events, and what an
// event points to is copied before the event is freed.

#if canImport(CLibYAML)
  internal import CLibYAML
#else
  // Apple platforms have no libyaml for apps. Yams includes a copy of it; nothing else of Yams is used.
  internal import CYaml
#endif

/// One event of libyaml's parser, with its start location.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd
    case scalar(YAMLScalar, anchor: String?)
    case alias(String)
    case listStart(anchor: String?)
    case mappingStart(isFlow: Bool, anchor: String?)
    case collectionEnd
  }

  var kind: Kind
  var line: Int
  var column: Int
}

/// Reads a text event by event with libyaml, which handles nesting without recursion.
final class YAMLEvents {
  // libyaml stores pointers to the parser in the parser itself, so it must not move.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeBufferPointer<UInt8>

  /// - Parameter text: The bytes. libyaml reads them step by step, so they must stay in place as long as this object is used.
  init(_ text: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
    self.text = text
    parser = .allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.initialize(to: yaml_parser_t())
      throw YAMLError(problem: .outOfMemory, line: 1, column: 1)
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  func next() throws(YAMLError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw error() }
    // Strings are copied out before the event is released.
    defer { yaml_event_delete(&event) }
    return YAMLEvent(
      kind: Self.kind(of: event), line: Int(event.start_mark.line) + 1, column: Int(event.start_mark.column) + 1)
  }

  private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
    // Compares raw values, because `==` on the names is a function call each, and most runs use a debug build.
    switch event.type.rawValue {
    case YAML_STREAM_START_EVENT.rawValue: return .streamStart
    case YAML_DOCUMENT_START_EVENT.rawValue: return .documentStart
    case YAML_DOCUMENT_END_EVENT.rawValue: return .documentEnd
    case YAML_SCALAR_EVENT.rawValue:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length)), as: UTF8.self)
      return .scalar(YAMLScalar(text: text, style: style(scalar.style)), anchor: name(scalar.anchor))
    case YAML_ALIAS_EVENT.rawValue: return .alias(name(event.data.alias.anchor) ?? "")
    case YAML_SEQUENCE_START_EVENT.rawValue: return .listStart(anchor: name(event.data.sequence_start.anchor))
    case YAML_MAPPING_START_EVENT.rawValue:
      let mapping = event.data.mapping_start
      let isFlow = mapping.style.rawValue == YAML_FLOW_MAPPING_STYLE.rawValue
      return .mappingStart(isFlow: isFlow, anchor: name(mapping.anchor))
    case YAML_SEQUENCE_END_EVENT.rawValue, YAML_MAPPING_END_EVENT.rawValue: return .collectionEnd
    // After the end of the stream, libyaml returns events without a type.
    default: return .streamEnd
    }
  }

  private static func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
    switch style.rawValue {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE.rawValue: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE.rawValue: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE.rawValue, YAML_FOLDED_SCALAR_STYLE.rawValue: .block
    default: .plain
    }
  }

  private static func name(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  // MARK: Errors

  private func error() -> YAMLError {
    let failure = parser.pointee
    let problem = failure.problem.map { String(cString: $0) } ?? "the text cannot be read"
    switch failure.error {
    case YAML_MEMORY_ERROR: return YAMLError(problem: .outOfMemory, line: 1, column: 1)
    case YAML_READER_ERROR:
      let place = place(ofByte: Int(failure.problem_offset))
      let isEncoding = problem.contains("UTF-8") || problem.contains("invalid Unicode character")
      return YAMLError(
        problem: isEncoding ? .notUTF8 : .syntax(problem, while: nil), line: place.line, column: place.column)
    default:
      let context = failure.context.map {
        YAMLError.Context(
          text: String(cString: $0), line: Int(failure.context_mark.line) + 1,
          column: Int(failure.context_mark.column) + 1)
      }
      return YAMLError(
        problem: .syntax(problem, while: context), line: Int(failure.problem_mark.line) + 1,
        column: Int(failure.problem_mark.column) + 1)
    }
  }

  /// The location of a byte. libyaml does not give one for encoding errors.
  private func place(ofByte offset: Int) -> (line: Int, column: Int) {
    var (line, column) = (1, 1)
    for byte in text.prefix(max(0, offset)) {
      if byte == 0x0A {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return (line, column)
  }
}
