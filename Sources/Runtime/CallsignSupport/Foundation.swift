// Foundation, as far as the runtime and the generator use it. On Linux that is FoundationEssentials and the C library: a
// program that imports no more is linked without Foundation and the tables of ICU, 45 MB where Swift's libraries are linked
// into it, and starts some milliseconds sooner. The modules above import this one in place of Foundation, so that the choice
// is made once.

#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials

  #if canImport(Glibc)
    @_exported import Glibc
  #elseif canImport(Musl)
    @_exported import Musl
  #elseif canImport(Android)
    @_exported import Android
  #endif
#else
  @_exported import Foundation
#endif
