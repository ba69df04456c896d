"""Takes the usual Python clients of X through a sandbox, as their users call them, and prints what went wrong.

Reads JSON from standard input: `url`, the app's and Alice's credentials, and Bob's id. The clients believe that they talk to X: their
requests are signed for https://api.x.com and the like, and only then sent to the sandbox, which must run with these public addresses.
Prints a JSON object: for each client, each step with "ok" or the error.
"""
import base64, json, re, sys, traceback
from urllib.parse import parse_qs, urlsplit, urlunsplit

import requests
import requests.adapters

setup = json.load(sys.stdin)
original_send = requests.adapters.HTTPAdapter.send


def send(self, request, **options):
    parts = urlsplit(request.url)
    if parts.scheme == "https":
        base = urlsplit(setup["url"])
        request.url = urlunsplit((base.scheme, base.netloc, parts.path, parts.query, ""))
    options["verify"] = False
    options["proxies"] = {}
    response = original_send(self, request, **options)
    # OAuth 2 libraries look at the address of the response.
    if parts.scheme == "https":
        response.url = urlunsplit(parts)
    return response


requests.adapters.HTTPAdapter.send = send
app, alice, bob = setup["app"], setup["alice"], setup["bob"]
keys = (app["consumer_key"], app["consumer_secret"], alice["token"], alice["token_secret"])
# The smallest PNG: one pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
results = {}


def tour(name):
    steps = results[name] = {}

    def step(label, action):
        try:
            value = action()
            steps[label] = "ok"
            return value
        except Exception as error:
            steps[label] = f"{type(error).__name__}: {error}"[:500]
            return None

    return step


def expect(condition, words="not as expected"):
    if not condition:
        raise AssertionError(words)


def tweepy_v2():
    import tweepy

    step = tour("tweepy (v2)")
    client = tweepy.Client(app["bearer"], *keys)
    post = step("create_tweet", lambda: client.create_tweet(text="from tweepy").data["id"])
    reply = step("reply", lambda: client.create_tweet(text="a reply", in_reply_to_tweet_id=post).data["id"])
    poll = step("poll", lambda: client.create_tweet(text="?", poll_options=["a", "b"], poll_duration_minutes=10).data["id"])

    def read():
        response = client.get_tweet(
            reply, tweet_fields=["author_id", "created_at", "public_metrics", "referenced_tweets", "conversation_id", "attachments"],
            expansions=["author_id", "referenced_tweets.id", "referenced_tweets.id.author_id", "in_reply_to_user_id"],
            user_fields=["pinned_tweet_id", "public_metrics"], user_auth=True)
        tweet = response.data
        expect(tweet.referenced_tweets[0].id == int(post), "referenced_tweets")
        expect(tweet.public_metrics["retweet_count"] == 0, "retweet_count")
        expect(response.includes["tweets"][0].id == int(post), "includes.tweets")
        expect(response.includes["users"][0].public_metrics["tweet_count"] > 0, "tweet_count")

    step("get_tweet", read)
    step("get_tweets", lambda: expect(len(client.get_tweets([post, reply, poll], expansions="attachments.poll_ids").data) == 3))
    step("get_me", lambda: expect(client.get_me(user_fields="pinned_tweet_id,created_at").data.username == "alice"))
    step("get_user", lambda: expect(client.get_user(username="bob", expansions="pinned_tweet_id").data.username == "bob"))
    step("get_users", lambda: client.get_users(usernames=["alice", "bob"], tweet_fields="author_id"))
    step("search", lambda: expect(client.search_recent_tweets("from:alice", tweet_fields=["author_id"]).data))
    step("counts", lambda: expect(client.get_recent_tweets_count("from:alice").meta))
    step("timeline", lambda: expect(list(tweepy.Paginator(client.get_users_tweets, alice["id"], max_results=5).flatten(limit=7))))
    step("like", lambda: expect(client.like(post).data["liked"]))
    step("get_liked_tweets", lambda: expect(client.get_liked_tweets(alice["id"], tweet_fields="author_id", user_auth=True).data))
    step("get_liking_users", lambda: expect(client.get_liking_users(post, user_auth=True).data))
    step("unlike", lambda: client.unlike(post))
    step("retweet", lambda: expect(client.retweet(post).data["retweeted"]))
    step("get_retweeters", lambda: client.get_retweeters(post))
    step("unretweet", lambda: client.unretweet(post))
    step("follow", lambda: client.follow_user(bob))
    step("get_users_following", lambda: client.get_users_following(alice["id"], user_fields="public_metrics"))
    step("get_users_followers", lambda: client.get_users_followers(bob))
    step("block", lambda: client.block(bob) if hasattr(client, "block") else None)
    step("mute", lambda: client.mute(bob))
    created = step("create_list", lambda: client.create_list("A list").data["id"])
    step("add_list_member", lambda: client.add_list_member(created, bob))
    step("get_list_members", lambda: expect(client.get_list_members(created, user_auth=True).data))
    step("home", lambda: client.get_home_timeline(tweet_fields=["author_id"]))
    step("dm", lambda: client.create_direct_message(participant_id=bob, text="hello"))
    step("hide", lambda: client.hide_reply(reply))
    step("delete", lambda: expect(client.delete_tweet(poll).data["deleted"]))
    rules = tweepy.StreamingClient(app["bearer"])
    step("dry_run", lambda: rules.add_rules(tweepy.StreamRule("cats"), dry_run=True))
    step("add_rules", lambda: rules.add_rules(tweepy.StreamRule("from:alice", tag="a")))
    step("get_rules", lambda: expect(len(rules.get_rules().data) == 1))


def tweepy_v1():
    import io, tweepy

    step = tour("tweepy (v1.1)")
    api = tweepy.API(tweepy.OAuth1UserHandler(*keys))
    step("verify_credentials", lambda: expect(api.verify_credentials(include_email=True).screen_name == "alice"))
    status = step("update_status", lambda: api.update_status("from tweepy v1.1", trim_user=False, display_coordinates=False))
    step("get_status", lambda: expect(api.get_status(status.id, include_my_retweet=True, tweet_mode="extended").full_text))
    step("lookup_statuses", lambda: expect(api.lookup_statuses([status.id], include_entities=True, map=True)))
    media = step("simple_upload", lambda: api.simple_upload("a.png", file=io.BytesIO(PNG)))
    step("create_media_metadata", lambda: api.create_media_metadata(media.media_id, "a pixel"))

    def picture():
        posted = api.update_status("with a picture", media_ids=[media.media_id])
        shown = api.get_status(posted.id, include_ext_alt_text=True)
        entity = shown.extended_entities["media"][0]
        expect(shown.entities["media"][0]["id"] == media.media_id, "entities.media")
        expect(requests.get(entity["media_url_https"]).content == PNG, "the picture")

    step("picture", picture)
    step("chunked_upload", lambda: expect(api.chunked_upload("a.png", file=io.BytesIO(PNG), file_type="image/png", media_category="tweet_image").media_id))
    step("user_timeline", lambda: expect(api.user_timeline(screen_name="alice", include_rts=True, exclude_replies=False)))
    step("home_timeline", lambda: api.home_timeline(count=5))
    step("mentions", lambda: api.mentions_timeline())
    step("search", lambda: api.search_tweets("tweepy", include_entities=False))
    step("favorite", lambda: expect(api.create_favorite(status.id).favorited))
    step("unfavorite", lambda: api.destroy_favorite(status.id))
    step("get_user", lambda: expect(api.get_user(screen_name="bob").id_str == bob))
    step("lookup_users", lambda: expect(api.lookup_users(screen_name=["bob"], include_entities=True)))
    step("friendship", lambda: api.create_friendship(screen_name="bob", follow=True))
    step("get_friend_ids", lambda: expect(api.get_friend_ids(screen_name="alice")))
    step("dm", lambda: api.send_direct_message(int(bob), "hello"))
    created = step("create_list", lambda: api.create_list("By tweepy", mode="private"))
    step("add_list_member", lambda: api.add_list_member(list_id=created.id, screen_name="bob"))
    step("limits", lambda: expect(api.rate_limit_status()["resources"]))
    step("retweet", lambda: api.retweet(status.id))
    step("get_retweets", lambda: expect(api.get_retweets(status.id)))
    step("destroy", lambda: api.destroy_status(status.id))
    app_only = tweepy.API(tweepy.OAuth2AppHandler(*keys[:2]))
    step("app only", lambda: expect(app_only.get_user(screen_name="alice").screen_name == "alice"))


def requests_oauthlib():
    from requests_oauthlib import OAuth1Session, OAuth2Session

    step = tour("requests-oauthlib")

    def login1():
        session = OAuth1Session(keys[0], client_secret=keys[1], callback_uri="oob")
        session.fetch_request_token("https://api.twitter.com/oauth/request_token")
        page = requests.get(session.authorization_url("https://api.twitter.com/oauth/authorize")).text
        values = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))
        values.update({"session[username_or_email]": "alice", "session[password]": alice["password"]})
        pin = re.search(r"<code>(\d+)</code>", requests.post("https://api.twitter.com/oauth/authorize", data=values).text).group(1)
        session.parse_authorization_response(f"https://x.test/?oauth_token={session._client.client.resource_owner_key}&oauth_verifier={pin}")
        session.fetch_access_token("https://api.twitter.com/oauth/access_token")
        expect(session.get("https://api.twitter.com/1.1/account/verify_credentials.json").json()["screen_name"] == "alice")
        expect(session.get("https://api.x.com/2/users/me?user.fields=pinned_tweet_id").json()["data"]["username"] == "alice")

    def login2():
        session = OAuth2Session(
            app["client_id"], redirect_uri="http://127.0.0.1:8765/callback", scope=["tweet.read", "users.read", "offline.access"],
            pkce="S256")
        address, state = session.authorization_url("https://x.com/i/oauth2/authorize")
        page = requests.get(address).text
        values = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))
        values.update({"session[username_or_email]": "alice", "session[password]": alice["password"]})
        target = re.search(r'<form id="oauth_form" action="([^"]+)"', page).group(1)
        location = requests.post("https://x.com" + target, data=values, allow_redirects=False).headers["Location"]
        token = session.fetch_token(
            "https://api.x.com/2/oauth2/token", authorization_response=location.replace("http://", "https://"),
            auth=(app["client_id"], app["client_secret"]))
        expect(session.get("https://api.x.com/2/users/me").json()["data"]["username"] == "alice")
        session.refresh_token("https://api.x.com/2/oauth2/token", auth=(app["client_id"], app["client_secret"]))
        expect(session.get("https://api.x.com/2/users/me").status_code == 200)

    step("OAuth 1.0a login", login1)
    step("OAuth 2.0 login", login2)


def twarc():
    from twarc.client2 import Twarc2

    step = tour("twarc")
    client = Twarc2(bearer_token=app["bearer"])
    step("search", lambda: expect(list(client.search_recent("from:alice", max_results=10))))
    step("counts", lambda: expect(list(client.counts_recent("from:alice"))))
    step("user_lookup", lambda: expect(list(client.user_lookup(["alice"], usernames=True))))
    step("timeline", lambda: expect(list(client.timeline(alice["id"]))))
    step("followers", lambda: list(client.followers(bob)))
    step("following", lambda: list(client.following(alice["id"])))

    def lookup():
        page = next(client.search_recent("from:alice", max_results=10))
        ids = [tweet["id"] for tweet in page["data"]]
        found = next(client.tweet_lookup(ids))
        expect(len(found["data"]) == len(ids), "as many tweets as ids")
        expect("edit_history_tweet_ids" in found["data"][0], "edit_history_tweet_ids")
        expect("tweets" not in found.get("includes", {}) or isinstance(found["includes"]["tweets"], list))

    step("tweet_lookup", lookup)
    step("mentions", lambda: list(client.mentions(alice["id"])))
    step("rules", lambda: client.get_stream_rules())
    user = Twarc2(consumer_key=keys[0], consumer_secret=keys[1], access_token=keys[2], access_token_secret=keys[3])
    step("as a user", lambda: expect(list(user.liked_tweets(alice["id"])) is not None))


def twitter_api():
    from TwitterAPI import TwitterAPI, TwitterPager

    step = tour("TwitterAPI")
    v1 = TwitterAPI(*keys)
    status = step("statuses/update", lambda: v1.request("statuses/update", {"status": "from TwitterAPI"}).json()["id"])
    step("statuses/show", lambda: expect(v1.request("statuses/show/:%d" % status).status_code == 200))
    step("search/tweets", lambda: expect(v1.request("search/tweets", {"q": "TwitterAPI"}).status_code == 200))

    def upload():
        response = v1.request("media/upload", None, {"media": PNG})
        expect(response.status_code == 200, response.text)
        posted = v1.request("statuses/update", {"status": "picture", "media_ids": response.json()["media_id"]})
        expect(posted.json()["entities"]["media"], "entities.media")

    step("media/upload", upload)
    app_only = TwitterAPI(keys[0], keys[1], auth_type="oAuth2")
    step("app only", lambda: expect(app_only.request("users/show", {"screen_name": "bob"}).status_code == 200))
    v2 = TwitterAPI(*keys, api_version="2")
    step("tweets", lambda: expect(v2.request("tweets", {"text": "v2 by TwitterAPI"}, method_override="POST").status_code == 201))
    step("users/by", lambda: expect(v2.request("users/by", {"usernames": "alice"}).status_code == 200))
    step(
        "tweets/search/recent",
        lambda: expect(
            list(TwitterPager(v2, "tweets/search/recent", {"query": "from:alice", "tweet.fields": "author_id", "max_results": 10}).get_iterator(wait=0))))


for client in (tweepy_v2, tweepy_v1, requests_oauthlib, twarc, twitter_api):
    try:
        client()
    except Exception:
        results.setdefault(client.__name__, {})["tour"] = traceback.format_exc(limit=3)
json.dump(results, sys.stdout)
