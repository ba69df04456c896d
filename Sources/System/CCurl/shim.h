#ifndef CALLSIGN_CURL_SHIM_H
#define CALLSIGN_CURL_SHIM_H

#include <curl/curl.h>

#ifdef __linux__
// The C library's module leaves these out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/// Gives the thread that calls this a name, of which the system keeps 15 bytes.
static inline void callsign_name_thread(const char *name) { prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0); }
#endif

// `CURLVERSION_NOW` is a macro that Swift does not see.
static inline unsigned int callsign_curl_version(void) {
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info != NULL ? info->version_num : 0;
}

// Swift calls no variadic C function, so each type of argument that libcurl's take has a function here. curl's headers
// wrap the three in type-checking macros; the names in parentheses are the functions themselves.

static inline CURLcode callsign_curl_set_long(CURL *handle, CURLoption option, long value) {
  return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode callsign_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return (curl_easy_setopt)(handle, option, value);
}

/// For strings, lists, shares and callback data alike: curl copies strings and keeps the other pointers.
static inline CURLcode callsign_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return (curl_easy_setopt)(handle, option, value);
}

/// Copies the bytes. libcurl takes certificates and keys from memory from 7.71; before that the response is
/// CURLE_UNKNOWN_OPTION.
static inline CURLcode callsign_curl_set_bytes(CURL *handle, CURLoption option, const void *bytes, size_t length) {
#if LIBCURL_VERSION_NUM >= 0x074700
  struct curl_blob blob = {(void *)bytes, length, CURL_BLOB_COPY};
  return (curl_easy_setopt)(handle, option, &blob);
#else
  (void)handle; (void)option; (void)bytes; (void)length;
  return CURLE_UNKNOWN_OPTION;
#endif
}

typedef size_t (*callsign_curl_data_function)(char *bytes, size_t size, size_t count, void *context);

/// For the write, header and read callbacks, which have one signature.
static inline CURLcode callsign_curl_set_data_function(
    CURL *handle, CURLoption option, callsign_curl_data_function function) {
  return (curl_easy_setopt)(handle, option, function);
}

typedef int (*callsign_curl_prerequest_function)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);

/// The callback between connection and request. libcurl has it from 7.80; before that the response is CURLE_UNKNOWN_OPTION.
static inline CURLcode callsign_curl_set_prerequest(
    CURL *handle, callsign_curl_prerequest_function function, void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
  CURLcode code = (curl_easy_setopt)(handle, CURLOPT_PREREQFUNCTION, function);
  return code == CURLE_OK ? (curl_easy_setopt)(handle, CURLOPT_PREREQDATA, context) : code;
#else
  (void)handle; (void)function; (void)context;
  return CURLE_UNKNOWN_OPTION;
#endif
}

/// What libcurl notes about a transfer, and what it sends and receives. It is only called while CURLOPT_VERBOSE is set.
static inline CURLcode callsign_curl_set_debug(CURL *handle, curl_debug_callback function, void *context) {
  CURLcode code = (curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, function);
  return code == CURLE_OK ? (curl_easy_setopt)(handle, CURLOPT_DEBUGDATA, context) : code;
}

/// Speak HTTP and HTTPS and nothing else that this libcurl may be built for.
static inline CURLcode callsign_curl_restrict_protocols(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return (curl_easy_setopt)(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return (curl_easy_setopt)(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// A name and a password for the proxy are sent at once, and in no other way than by HTTP Basic or RFC 1929.
static inline CURLcode callsign_curl_send_proxy_password(CURL *handle) {
  CURLcode code = (curl_easy_setopt)(handle, CURLOPT_PROXYAUTH, (long)CURLAUTH_BASIC);
  return code == CURLE_OK ? (curl_easy_setopt)(handle, CURLOPT_SOCKS5_AUTH, (long)CURLAUTH_BASIC) : code;
}

/// Don't wait for the resolver's thread when a transfer is given up; it ends by itself. libcurl has this from 7.87.
static inline CURLcode callsign_curl_leave_resolver(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return (curl_easy_setopt)(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)handle;
  return CURLE_UNKNOWN_OPTION;
#endif
}

#ifdef __linux__
static inline curl_socket_t callsign_curl_open_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context; (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// No program that this one starts gets a connection, which would then stay open until that program ends. libcurl's own
/// sockets are inherited.
static inline CURLcode callsign_curl_keep_sockets_private(CURL *handle) {
  return (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, callsign_curl_open_socket);
}
#endif

static inline CURLcode callsign_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode callsign_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
  return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLMcode callsign_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return (curl_multi_setopt)(multi, option, value);
}

/// Tells the application which sockets to watch. libcurl keeps the context for as long as the handle lives.
static inline CURLMcode callsign_curl_multi_set_socket_function(
    CURLM *multi, curl_socket_callback function, void *context) {
  CURLMcode code = (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context);
  return code == CURLM_OK ? (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, function) : code;
}

/// Tells the application when to call without a socket. libcurl keeps the context for as long as the handle lives.
static inline CURLMcode callsign_curl_multi_set_timer_function(
    CURLM *multi, curl_multi_timer_callback function, void *context) {
  CURLMcode code = (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context);
  return code == CURLM_OK ? (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, function) : code;
}

static inline CURLSHcode callsign_curl_share_set_long(CURLSH *share, CURLSHoption option, long value) {
  return (curl_share_setopt)(share, option, value);
}

/// The transfer that a message is about, out of the union that Swift sees only in part.
static inline CURLcode callsign_curl_message_result(const CURLMsg *message) { return message->data.result; }

#endif
