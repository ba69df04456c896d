// A separate file, so that a test can compile it on its own for 32-bit systems.
//
// Whole numbers in responses are `Int`, as you expect in Swift: IDs, counts, seconds since 1970. With 32 bits, an ID would silently
// become a different one, and dates would trap. So the package does not build for such systems.
#if _pointerBitWidth(_32)
  #error(
    "Callsign needs a system of 64 bits; on Apple's watches build for arm64 alone, since ids do not fit the Int of arm64_32"
  )
#endif
