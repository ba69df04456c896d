/// A step from one version of the schema to the next.
struct Migration: Sendable {
  /// The number of the step, from 1 without gaps.
  let number: Int
  /// The oldest migration number that a program must know to work with the resulting schema.
  let oldest: Int
  /// The statements, for a schema with this quoted name.
  let statements: @Sendable (String) -> [String]
}

extension Migration {
  /// All steps. A published step is never changed, except for the text of a function that a later step replaces. Further changes
  /// need another step.
  static let all: [Migration] = [
    Migration(number: 1, oldest: 1) { schema in
      [require(schema)] + tokens(schema) + limits(schema) + syncLimits(schema) + streams(schema) + deliveries(schema)
    },
    // Older programs still work with it, because it takes and returns the same.
    Migration(number: 2, oldest: 1, statements: syncLimits),
    // Older programs do not fill these columns. What they save has another version and time, which invalidates the content.
    Migration(number: 3, oldest: 1) { schema in
      [
        """
        ALTER TABLE \(schema).tokens
          ADD COLUMN request_id text, ADD COLUMN request_version bigint, ADD COLUMN request_end timestamptz,
          ADD COLUMN refused timestamptz, ADD COLUMN lost_with text
        """
      ]
    },
  ]

  /// Fails the transaction that it is part of if a lease was lost.
  private static func require(_ schema: String) -> String {
    """
    CREATE FUNCTION \(schema).require(holds boolean) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF holds IS NOT TRUE THEN
        RAISE EXCEPTION 'the lease was lost' USING ERRCODE = '\(PostgresError.leaseLostCode)';
      END IF;
    END $$
    """
  }

  private static func tokens(_ schema: String) -> [String] {
    [
      "CREATE SEQUENCE \(schema).token_versions",
      "CREATE SEQUENCE \(schema).fences",
      // A row without `sealed` is a lease on a token that does not exist. Columns that change have no index, so an update needs no
      // index entry; the spare room on each page is for updates.
      """
      CREATE TABLE \(schema).tokens (
        service text NOT NULL, account text NOT NULL, scheme text NOT NULL, client_id text NOT NULL,
        version bigint NOT NULL DEFAULT 0, save_id text,
        sealed bytea, sealing_key text, expires timestamptz,
        saved timestamptz, used timestamptz NOT NULL DEFAULT now(),
        lease_id text, lease_end timestamptz, fence bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (service, account, scheme, client_id)
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)
      """,
    ]
  }

  private static func streams(_ schema: String) -> [String] {
    [
      // `covered`: everything that the API sent before this time has been stored.
      """
      CREATE TABLE \(schema).stream_partitions (
        stream text NOT NULL, partition integer NOT NULL,
        owner text, lease_end timestamptz, fence bigint NOT NULL DEFAULT 0, covered timestamptz,
        PRIMARY KEY (stream, partition)
      ) WITH (fillfactor = 50)
      """,
      """
      CREATE TABLE \(schema).stream_servers (
        stream text NOT NULL, server text NOT NULL, seen timestamptz NOT NULL, PRIMARY KEY (stream, server)
      ) WITH (fillfactor = 50)
      """,
      // A handled record stays for a while without its bytes, so that it is recognized if it arrives again.
      """
      CREATE TABLE \(schema).inbox (
        stream text NOT NULL, id text NOT NULL, partition integer NOT NULL, position bigserial,
        record bytea, arrived timestamptz NOT NULL DEFAULT now(), done timestamptz,
        claim_id text, claim_end timestamptz,
        PRIMARY KEY (stream, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0.05)
      """,
      "CREATE INDEX inbox_waiting ON \(schema).inbox (stream, position) WHERE done IS NULL",
      "CREATE INDEX inbox_done ON \(schema).inbox (done) WHERE done IS NOT NULL",
    ]
  }

  private static func deliveries(_ schema: String) -> [String] {
    [
      """
      CREATE TABLE \(schema).deliveries (
        source text NOT NULL, id text NOT NULL, claim_id text, claim_end timestamptz, done timestamptz,
        PRIMARY KEY (source, id)
      )
      """,
      "CREATE INDEX deliveries_done ON \(schema).deliveries (done) WHERE done IS NOT NULL",
      """
      CREATE TABLE \(schema).uploads (
        name text PRIMARY KEY, resumption text, lease_id text, lease_end timestamptz, fence bigint NOT NULL DEFAULT 0,
        changed timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 50)
      """,
    ]
  }
}
