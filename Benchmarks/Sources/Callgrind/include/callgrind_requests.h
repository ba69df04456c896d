#ifndef CALLGRIND_REQUESTS_H
#define CALLGRIND_REQUESTS_H

/// Whether the program was built where valgrind's headers are, so that the functions below do something.
int callgrind_requests_exist(void);

/// Lets callgrind, started with `--instr-atstart=no`, count from here on, in all threads. Without it nothing happens.
void callgrind_begin(void);

/// Lets callgrind count no further.
void callgrind_end(void);

/// The HMAC of a message by libcrypto alone, its key schedule kept: what a signature costs at the least.
///
/// Returns a context for `bare_hmac_sign`, or null.
void *bare_hmac_make(const void *key, int length);

/// Writes 20 bytes. Returns 1 where it succeeds.
int bare_hmac_sign(void *context, const void *message, long length, unsigned char *output);
void bare_hmac_free(void *context);

#endif
