// Found without pkg-config: SwiftPM would ask every user of the package for the library's development files.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#error "CallsignPostgres needs libpq's development files: apt-get install libpq-dev, dnf install libpq-devel, or brew install libpq (with -Xcc -I$(brew --prefix libpq)/include)"
#endif

#ifdef __linux__
#include <sys/prctl.h>

/// Gives the thread that calls this a name, of which the system keeps 15 bytes.
static inline void callsign_postgres_name_thread(const char *name) { prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0); }
#endif
