// Sound: one thread uses the room, whose size the kernel gets; it is freed with its object.

#if os(Linux)
  import CCurl
  import CallsignSupport

  /// The sockets that one thread waits for, watched by the kernel (epoll), and the way to wake that thread.
  ///
  /// The cost of waiting does not grow with the number of sockets that stay silent, such as those of open streams.
  final class SocketPoller: Sendable {
    /// Something has happened to a socket.
    struct Event {
      let socket: Int32
      let isReadable: Bool
      let isWritable: Bool
      /// The connection is gone, or partly; the other two say little then.
      let isBroken: Bool
    }

    /// The room for the kernel's events. For the thread that waits.
    final class Room {
      fileprivate let events: UnsafeMutableBufferPointer<epoll_event>

      init() {
        events = .allocate(capacity: 128)
        events.initialize(repeating: epoll_event())
      }

      deinit { events.deallocate() }
    }

    private let epoll: Int32
    /// Each writing of it ends a wait, so that nobody has to read it.
    private let wakeup: Int32

    /// - Returns: `nil` if the process has no descriptors left.
    init?() {
      let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard epoll >= 0 else { return nil }
      let wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      guard wakeup >= 0 else {
        close(epoll)
        return nil
      }
      (self.epoll, self.wakeup) = (epoll, wakeup)
      var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data_t(fd: wakeup))
      // On the way out from here, the descriptors are closed.
      guard epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event) == 0 else { return nil }
    }

    deinit {
      close(wakeup)
      close(epoll)
    }

    /// Watches a socket from now on as is said here; for neither, no longer.
    ///
    /// - Returns: Whether the kernel does so.
    func watch(_ socket: Int32, forReading: Bool, forWriting: Bool) -> Bool {
      let events = (forReading ? EPOLLIN.rawValue : 0) | (forWriting ? EPOLLOUT.rawValue : 0)
      var event = epoll_event(events: events, data: epoll_data_t(fd: socket))
      if events == 0 { return epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &event) == 0 }
      // Mostly it is not watched yet: libcurl gives a socket up between two transfers.
      return epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0
        || epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) == 0
    }

    /// Ends the thread's wait, or the next one if it does not wait. For any thread.
    func wake() { eventfd_write(wakeup, 1) }

    /// Waits for events, or until it is woken.
    ///
    /// - Parameters:
    ///   - milliseconds: For how long at most.
    ///   - room: Has the events until the next wait.
    /// - Returns: How many events there are.
    func wait(milliseconds: Int, room: Room) -> Int {
      let limit = Int32(clamping: milliseconds)
      return max(0, Int(epoll_wait(epoll, room.events.baseAddress, Int32(room.events.count), limit)))
    }

    /// - Returns: One of the events of the last wait; `nil` for what woke the thread.
    func event(_ index: Int, room: Room) -> Event? {
      guard room.events.indices.contains(index) else { return nil }
      let found = room.events[index]
      guard found.data.fd != wakeup else { return nil }
      return Event(
        socket: found.data.fd, isReadable: found.events & EPOLLIN.rawValue != 0,
        isWritable: found.events & EPOLLOUT.rawValue != 0,
        isBroken: found.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
    }
  }
#endif
