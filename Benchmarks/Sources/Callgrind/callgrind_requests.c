#include "callgrind_requests.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

int callgrind_requests_exist(void) { return 1; }
void callgrind_begin(void) { CALLGRIND_START_INSTRUMENTATION; }
void callgrind_end(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
int callgrind_requests_exist(void) { return 0; }
void callgrind_begin(void) {}
void callgrind_end(void) {}
#endif

#if __has_include(<openssl/hmac.h>)
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/hmac.h>

void *bare_hmac_make(const void *key, int length) {
  HMAC_CTX *context = HMAC_CTX_new();
  if (context != NULL && HMAC_Init_ex(context, key, length, EVP_sha1(), NULL) == 1) return context;
  HMAC_CTX_free(context);
  return NULL;
}

int bare_hmac_sign(void *context, const void *message, long length, unsigned char *output) {
  unsigned int written = 0;
  return HMAC_Init_ex(context, NULL, 0, NULL, NULL) == 1 && HMAC_Update(context, message, (size_t)length) == 1 &&
         HMAC_Final(context, output, &written) == 1;
}

void bare_hmac_free(void *context) { HMAC_CTX_free(context); }
#else
void *bare_hmac_make(const void *key, int length) { (void)key; (void)length; return 0; }
int bare_hmac_sign(void *context, const void *message, long length, unsigned char *output) {
  (void)context; (void)message; (void)length; (void)output;
  return 0;
}
void bare_hmac_free(void *context) { (void)context; }
#endif
