#if os(Linux)
  import CCurl
  import Foundation

  // libcurl calls these on the loop's thread, only from within a call that the loop makes.
  //
  // The context is a transfer's address without a reference of its own. That is safe because the loop holds each
  // transfer from before its handle joins until after the handle has left and been reset, and libcurl calls back for no
  // handle outside that time. A reference held by libcurl would have to be given back on every path out instead.

  extension CurlTransfer {
    var curlContext: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
      context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  let curlPrerequest: callsign_curl_prerequest_function = { context, _, _, _, _ in
    CurlTransfer.from(context)?.willSend() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  let curlHeader: callsign_curl_data_function = { bytes, size, count, context in
    guard let transfer = CurlTransfer.from(context), let bytes else { return 0 }
    let length = size * count
    return transfer.receivedHeadLine(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
  }

  let curlWrite: callsign_curl_data_function = { bytes, size, count, context in
    guard let transfer = CurlTransfer.from(context), let bytes else { return 0 }
    return transfer.receivedBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  let curlRead: callsign_curl_data_function = { bytes, size, count, context in
    guard let upload = CurlTransfer.from(context)?.upload, let bytes else { return Int(CURL_READFUNC_ABORT) }
    return upload.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  }
#endif
