import Foundation

// Started by `Scripts/bench` and `Scripts/count`, which say what the words mean.

signal(SIGPIPE, SIG_IGN)
let words = Array(CommandLine.arguments.dropFirst())

func run() async throws {
  let further = Array(words.dropFirst())
  switch words.first {
  case "json": try JSONBench.run()
  case "sign": try SigningBench.run(further)
  case "http": try await HTTPBench.run(further)
  case "count": try await Counts.run(further)
  case "measure": try await Measurements.run(further)
  case "serve": try LoopbackServer.serveForever()
  case "stream": try await StreamBench.run(further)
  case "streams": try await StreamBench.runBeside(further)
  case "serve-stream": try StreamServer.serveForever()
  default:
    FileHandle.standardError.write(
      Data("usage: Bench json|sign|http|stream|streams|count|measure|serve\n".utf8))
    exit(64)
  }
}

// No `await` here: the main thread would end, and valgrind with it.
let isDone = DispatchSemaphore(value: 0)
Task.detached {
  do { try await run() } catch {
    print("\(error)")
    exit(1)
  }
  isDone.signal()
}
isDone.wait()
