import Foundation

// A pipe ends for its reader when the last copy of its writing end is closed. On Linux, Foundation's `Process` closes in the
// child what was open when it looked; a pipe that another thread makes after that look stays open in the child, and its
// reader waits until that child ends: for ever where the child is a server. So the tests make pipes and start programs
// by these two functions, one at a time, and pipes that are not for a program are closed in it by the system.

/// Held while a pipe is made, and while a program is started.
private let spawning = NSLock()

extension Pipe {
  /// A pipe that no program inherits but the one it is given to.
  package static func forChildProcess() -> Pipe {
    spawning.withLock {
      let pipe = Pipe()
      for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      return pipe
    }
  }
}

extension Process {
  /// Starts the program as `run` does, while no pipe is being made.
  package func start() throws { try spawning.withLock { try run() } }
}
