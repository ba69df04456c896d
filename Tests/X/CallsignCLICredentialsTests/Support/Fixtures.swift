/// Files as the tools write them, with made-up credentials.
enum Fixture {
  /// `xurl` of version 1 and later.
  static let xurl = """
    apps:
        my-app:
            client_id: client-one
            client_secret: client-s3cr3t
            redirect_uri: http://localhost:8080/callback
            default_user: bob
            oauth2_tokens:
                ann:
                    type: oauth2
                    oauth2:
                        access_token: ann-access-s3cr3t
                        refresh_token: ann-refresh-s3cr3t
                        expiration_time: 1795255200
                bob:
                    type: oauth2
                    oauth2:
                        access_token: bob-access-s3cr3t
                        refresh_token: bob-refresh-s3cr3t
                        expiration_time: 0
            oauth1_token:
                type: oauth1
                oauth1:
                    access_token: 12345-oauth1
                    token_secret: token-s3cr3t
                    consumer_key: consumer-one
                    consumer_secret: consumer-s3cr3t
            bearer_token:
                type: bearer
                bearer: AAAA%2Bbearer-s3cr3t
        other-app:
            client_id: client-two
            client_secret: other-s3cr3t
            oauth2_tokens: {}
            bearer_token:
                type: bearer
                bearer: other-bearer-s3cr3t
        empty-app:
            client_id: client-three
            client_secret: empty-s3cr3t
    default_app: my-app

    """

  /// `xurl` before version 1.
  static let xurlJSON = """
    {
      "oauth2_tokens": {
        "ann": {
          "type": "oauth2",
          "oauth2": {
            "access_token": "ann-access-s3cr3t",
            "refresh_token": "ann-refresh-s3cr3t",
            "expiration_time": 1795255200
          }
        }
      },
      "oauth1_tokens": {
        "type": "oauth1",
        "oauth1": {
          "access_token": "12345-oauth1",
          "token_secret": "token-s3cr3t",
          "consumer_key": "consumer-one",
          "consumer_secret": "consumer-s3cr3t"
        }
      },
      "bearer_token": null,
      "file_path": "/home/ann/.xurl"
    }
    """

  /// `twurl`, with the texts that Ruby writes once and refers to afterwards.
  static let twurl = """
    ---
    profiles:
      ann:
        consumer-one:
          username: &1 ann
          consumer_key: &2 consumer-one
          consumer_secret: consumer-s3cr3t
          token: 12345-twurl
          secret: token-s3cr3t
      bob:
        consumer-one:
          username: bob
          consumer_key: consumer-one
          consumer_secret: consumer-s3cr3t
          token: 67890-twurl
          secret: bob-s3cr3t
        consumer-two:
          username: bob
          consumer_key: consumer-two
    configuration:
      default_profile:
      - *1
      - *2
    bearer_tokens:
      consumer-one: one-bearer-s3cr3t
      consumer-nine: nine-bearer-s3cr3t
    aliases:
      t: /1.1/statuses/home_timeline.json

    """
}
