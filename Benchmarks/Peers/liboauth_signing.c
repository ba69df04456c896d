/* Signs the benchmark's request by liboauth, in rounds that Benchmarks/bench asks for: a line names the work, the repetitions
 * and how many are in flight, and gets the seconds of the clock and of the processor. The first line is liboauth's
 * signature with the nonce and the timestamp of the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Names size_t without its header.
#include <oauth.h>

#define URL \
  "https://api.x.com/2/users/2244994945/timelines/reverse_chronological?max_results=100&exclude=replies%2Cretweets" \
  "&tweet.fields=created_at%2Cpublic_metrics%2Centities&expansions=author_id&user.fields=name%2Cusername" \
  "&pagination_token=7140dibdnow9c7btw3w29n4v5mtag9kegr0gr7y26pnw3"

static char *sign(const char *url) {
  return oauth_sign_url2(
      url, NULL, OA_HMAC, "GET", "xvz1evFS4wEEPTGEFPHBog", "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
      "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE");
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

int main(void) {
  char *signed_url = sign(URL "&oauth_nonce=kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg&oauth_timestamp=1318622958");
  const char *encoded = signed_url == NULL ? NULL : strstr(signed_url, "oauth_signature=");
  if (encoded == NULL) return 1;
  char *signature = oauth_url_unescape(encoded + strlen("oauth_signature="), NULL);
  signature[strcspn(signature, "&")] = 0;
  puts(signature);
  fflush(stdout);
  free(signature);
  free(signed_url);
  char line[256];
  long repetitions;
  while (fgets(line, sizeof line, stdin) != NULL && sscanf(line, "%*s %ld", &repetitions) == 1) {
    double clock = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long count = 0; count < repetitions; count++) free(sign(URL));
    printf("%.9f %.9f\n", seconds(CLOCK_MONOTONIC) - clock, seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
    fflush(stdout);
  }
  return 0;
}
