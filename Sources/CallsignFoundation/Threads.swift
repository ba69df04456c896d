/// Runs something on a thread that nobody waits for. In place of `Thread`, which is Foundation's.
///
/// - Returns: Whether the system could start one.
package func detachThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  #if canImport(FoundationEssentials)
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(ThreadBody(run: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    // The thread releases what it is given; where there is none, nobody else does.
    if code != 0 { context.release() }
    return code == 0
  #else
    Thread.detachNewThread(body)
    return true
  #endif
}

#if canImport(FoundationEssentials)
  private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
#endif
