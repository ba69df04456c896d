// Sound: the system gets each buffer with its size, and reads it during the call only.

import Callsign
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a user's answers and secrets. Secrets come from a file, the environment, or a terminal that does not show them, and never
/// from arguments, which every process on the machine can read.
package struct SecretInput: Sendable {
  private let environment: [String: String]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

  /// A secret, from the first source that has it.
  ///
  /// - Parameters:
  ///   - name: Its name for the user, such as `Client secret`.
  ///   - file: The file given for it; `-` is standard input.
  ///   - variable: The variable that may contain it.
  ///   - hint: A hint for the user, in parentheses.
  /// - Returns: `nil` if there is none, or the user enters none.
  /// - Throws: `CommandLineError` for a file that cannot be read, and ``ExitStatus/interrupted``.
  package func secret(_ name: String, file: String?, variable: String, hint: String = "") throws -> Secret? {
    if let file { return Self.secret(try contents(of: file)) }
    if let value = environment[variable], !value.isEmpty { return Secret(value) }
    guard let text = try Self.ask("\(name)\(hint.isEmpty ? "" : " (\(hint))"): ", isHidden: true) else { return nil }
    return Self.secret(text)
  }

  private func contents(of file: String) throws -> String {
    if file == "-" { return readLine(strippingNewline: true) ?? "" }
    guard let data = try PrivateFile.read((file as NSString).expandingTildeInPath, as: "the secret's file") else {
      throw CommandLineError("the secret's file \(file) does not exist")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private static func secret(_ text: String) -> Secret? {
    let plain = text.trimmingCharacters(in: .newlines)
    return plain.isEmpty ? nil : Secret(plain)
  }

  /// A text that is not a secret, from the variable or the user.
  package func text(_ name: String, variable: String) throws -> String? {
    if let value = environment[variable], !value.isEmpty { return value }
    let text = try Self.ask("\(name): ", isHidden: false)?.trimmingCharacters(in: .whitespaces)
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Asks on the terminal, whatever standard input and output are.
  ///
  /// - Returns: `nil` if there is no terminal, or the user ends the input.
  private static func ask(_ prompt: String, isHidden: Bool) throws(ExitStatus) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var saved = termios()
    guard tcgetattr(terminal, &saved) == 0 else { return nil }
    var quiet = saved
    // Signals are also disabled, because the terminal must be restored after an interrupt.
    quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    let before = saved
    let interrupts = Interrupts {
      var before = before
      tcsetattr(terminal, TCSAFLUSH, &before)
      Foundation.exit(ExitStatus.interrupted.rawValue)
    }
    defer { interrupts.end() }
    guard tcsetattr(terminal, TCSAFLUSH, &quiet) == 0 else { return nil }
    defer { tcsetattr(terminal, TCSAFLUSH, &saved) }
    write(prompt, to: terminal)
    var bytes: [UInt8] = []
    defer { write("\n", to: terminal) }
    while true {
      var byte: UInt8 = 0
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      switch byte {
      case 3: throw .interrupted
      case 4: return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      case 10, 13: return String(decoding: bytes, as: UTF8.self)
      case 8, 127:
        guard !bytes.isEmpty else { continue }
        // A character may consist of several bytes.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        if !isHidden { write("\u{8} \u{8}", to: terminal) }
      case 21:
        if !isHidden { write(String(repeating: "\u{8} \u{8}", count: bytes.count), to: terminal) }
        bytes = []
      case 0..<32: continue
      default:
        guard bytes.count < 100_000 else { continue }
        bytes.append(byte)
        if !isHidden { withUnsafePointer(to: byte) { _ = systemWrite(terminal, $0, 1) } }
      }
    }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    _ = Array(text.utf8).withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
  }
}

/// The system's `write`, which the method with the same name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
