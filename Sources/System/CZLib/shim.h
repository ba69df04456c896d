#ifndef CALLSIGN_ZLIB_SHIM_H
#define CALLSIGN_ZLIB_SHIM_H

// Found without pkg-config: SwiftPM would ask every user of the package for the library's development files.
#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "Callsign needs zlib's development files: apt-get install zlib1g-dev, or dnf install zlib-ng-compat-devel"
#endif

// zlib's own names for these are macros with the size of the structure, which Swift does not see.

/// Begins to compress, at the usual level and with the usual memory.
/// @param window_bits 15 for zlib's format (RFC 1950), 31 for gzip's (RFC 1952).
static inline int callsign_deflate_begin(z_stream *stream, int window_bits) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

/// Begins to decompress.
/// @param window_bits 15 for zlib's format (RFC 1950), 31 for gzip's (RFC 1952), -15 for neither (RFC 1951).
static inline int callsign_inflate_begin(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

#endif
