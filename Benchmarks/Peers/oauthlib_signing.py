"""Signs the benchmark's request by oauthlib, in rounds that Benchmarks/bench asks for: a line names the work, the repetitions and how
many are in flight, and gets the seconds of the clock and of the processor. The first line is oauthlib's signature."""

import sys
import time

from oauthlib.oauth1 import Client

URL = (
    "https://api.x.com/2/users/2244994945/timelines/reverse_chronological?max_results=100&exclude=replies%2Cretweets"
    "&tweet.fields=created_at%2Cpublic_metrics%2Centities&expansions=author_id&user.fields=name%2Cusername"
    "&pagination_token=7140dibdnow9c7btw3w29n4v5mtag9kegr0gr7y26pnw3"
)
client = Client(
    "xvz1evFS4wEEPTGEFPHBog",
    client_secret="kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
    resource_owner_key="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
    resource_owner_secret="LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE",
    nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg",
    timestamp="1318622958",
)


def signature():
    _, headers, _ = client.sign(URL)
    field = headers["Authorization"].split('oauth_signature="')[1].split('"')[0]
    return field.replace("%2F", "/").replace("%2B", "+").replace("%3D", "=")


print(signature(), flush=True)
for line in sys.stdin:
    start, processor = time.monotonic(), time.process_time()
    for _ in range(int(line.split()[1])):
        client.sign(URL)
    print(time.monotonic() - start, time.process_time() - processor, flush=True)
