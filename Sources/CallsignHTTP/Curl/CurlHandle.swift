#if os(Linux)
  import CCurl
  import Foundation

  /// One of libcurl's easy handles, used for one transfer after another.
  ///
  /// Not `Sendable`: the loop's thread makes it, uses it and ends it.
  final class CurlHandle {
    let pointer: UnsafeMutableRawPointer
    /// libcurl writes here for as long as the handle lives, hence memory that doesn't move.
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// - Parameter share: Where the handles of one loop keep their TLS sessions.
    init(share: UnsafeMutableRawPointer?) throws(TransportError) {
      guard let pointer = curl_easy_init() else {
        throw TransportError(.other, delivery: .notSent, detail: "libcurl has no memory for another transfer")
      }
      self.pointer = pointer
      errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
      errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      if let share { try set(CURLOPT_SHARE, pointer: share) }
    }

    deinit {
      curl_easy_cleanup(pointer)
      curl_slist_free_all(headerList)
      errorText.deallocate()
    }

    /// Forgets the transfer; connections stay with the loop. The handle must have left the loop.
    func reset() {
      curl_easy_reset(pointer)
      curl_slist_free_all(headerList)
      headerList = nil
      errorText.pointee = 0
    }

    /// What went wrong, in libcurl's words. May name the host.
    var errorMessage: String { String(cString: errorText) }

    /// The bytes of heads and bodies sent so far.
    var bytesSent: Int {
      var head = 0
      var body: curl_off_t = 0
      guard callsign_curl_get_long(pointer, CURLINFO_REQUEST_SIZE, &head) == CURLE_OK,
        callsign_curl_get_size(pointer, CURLINFO_SIZE_UPLOAD_T, &body) == CURLE_OK
      else { return 0 }
      return head + Int(body)
    }

    /// What the proxy answered to CONNECT, where there was one.
    var proxyConnectStatus: Int {
      var status = 0
      return callsign_curl_get_long(pointer, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK ? status : 0
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
      try check(callsign_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, size: Int) throws(TransportError) {
      try check(callsign_curl_set_size(pointer, option, curl_off_t(size)))
    }

    func set(_ option: CURLoption, pointer value: UnsafeRawPointer?) throws(TransportError) {
      try check(callsign_curl_set_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(TransportError) {
      try check(value.withCString { callsign_curl_set_pointer(pointer, option, $0) })
    }

    func set(_ option: CURLoption, bytes: Data) throws(TransportError) {
      try check(
        bytes.withUnsafeBytes { callsign_curl_set_bytes(pointer, option, $0.baseAddress, $0.count) })
    }

    func set(_ option: CURLoption, function: @escaping callsign_curl_data_function) throws(TransportError) {
      try check(callsign_curl_set_data_function(pointer, option, function))
    }

    func setErrorText() throws(TransportError) { try set(CURLOPT_ERRORBUFFER, pointer: errorText) }

    /// Takes the lines over; they live until the handle is reset.
    func setHeaderLines(_ lines: UnsafeMutablePointer<curl_slist>?) throws(TransportError) {
      headerList = lines
      try set(CURLOPT_HTTPHEADER, pointer: lines)
    }

    func check(_ code: CURLcode) throws(TransportError) {
      guard code != CURLE_OK else { return }
      throw TransportError(.other, delivery: .notSent, detail: String(cString: curl_easy_strerror(code)))
    }
  }
#endif
