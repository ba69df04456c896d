#ifndef CALLSIGN_CRYPTO_SHIM_H
#define CALLSIGN_CRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#include <string.h>

// HMAC-SHA1 (RFC 2104) from the states that the hash function is in once it has read the two halves of the key. Copying
// them is all that a message needs; each use of libcrypto's EVP interface allocates, and asks for the algorithm anew.

#if !defined(OPENSSL_NO_DEPRECATED_3_0) && OPENSSL_VERSION_MAJOR == 3
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

/// The states after the key. As secret as the key is.
typedef struct {
  SHA_CTX inner;
  SHA_CTX outer;
} callsign_hmac_sha1_key;

/// Returns 1, or 0 where only libcrypto's EVP interface is to be used: where its policy asks for FIPS 140.
static inline int callsign_hmac_sha1_prepare(callsign_hmac_sha1_key *prepared, const void *key, size_t length) {
  if (EVP_default_properties_is_fips_enabled(NULL)) return 0;
  unsigned char block[SHA_CBLOCK] = {0};
  if (length > sizeof block) {
    if (SHA1((const unsigned char *)key, length, block) == NULL) return 0;
  } else if (length > 0) {
    memcpy(block, key, length);
  }
  for (size_t index = 0; index < sizeof block; index++) block[index] ^= 0x36;
  int is_ready = SHA1_Init(&prepared->inner) && SHA1_Update(&prepared->inner, block, sizeof block);
  for (size_t index = 0; index < sizeof block; index++) block[index] ^= 0x36 ^ 0x5C;
  is_ready = is_ready && SHA1_Init(&prepared->outer) && SHA1_Update(&prepared->outer, block, sizeof block);
  OPENSSL_cleanse(block, sizeof block);
  return is_ready;
}

/// Writes 20 bytes. Returns 1 where it succeeds.
static inline int callsign_hmac_sha1(
    const callsign_hmac_sha1_key *prepared, const void *message, size_t length, unsigned char *code) {
  SHA_CTX state = prepared->inner;
  int is_done = SHA1_Update(&state, message, length) && SHA1_Final(code, &state);
  state = prepared->outer;
  is_done = is_done && SHA1_Update(&state, code, SHA_DIGEST_LENGTH) && SHA1_Final(code, &state);
  OPENSSL_cleanse(&state, sizeof state);
  return is_done;
}

#pragma clang diagnostic pop
#else
typedef struct {
  int nothing;
} callsign_hmac_sha1_key;

static inline int callsign_hmac_sha1_prepare(callsign_hmac_sha1_key *prepared, const void *key, size_t length) {
  (void)prepared; (void)key; (void)length;
  return 0;
}

static inline int callsign_hmac_sha1(
    const callsign_hmac_sha1_key *prepared, const void *message, size_t length, unsigned char *code) {
  (void)prepared; (void)message; (void)length; (void)code;
  return 0;
}
#endif

#endif
