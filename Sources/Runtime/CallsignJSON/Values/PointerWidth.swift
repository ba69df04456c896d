// A file of its own, so that a test can compile it by itself for systems of 32 bits.
//
// Whole numbers of responses are `Int`, as people expect it in Swift: ids, counts, seconds since 1970. With 32 bits an id
// would be another one without a word, and dates would trap. So there is no build for such systems at all.
#if _pointerBitWidth(_32)
  #error(
    "Callsign needs a system of 64 bits; on Apple's watches build for arm64 alone, since ids do not fit the Int of arm64_32"
  )
#endif
