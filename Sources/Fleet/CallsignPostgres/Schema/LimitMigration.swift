extension Migration {
  /// The tables for rate limits, which a single function reads and writes.
  ///
  /// The number of places that can still be granted is the lowest number of remaining calls that the API has stated for the window,
  /// minus what all servers hold, used or not. A call with a response is included in the API's number; one without is included in
  /// what its server holds. There is no running total that could drift, and the places of a server that dies are lost only until
  /// its grants expire.
  static func limits(_ schema: String) -> [String] {
    [
      // `is_guess`: the API refused without saying when to return. `is_uncertain`: some calls may have counted without a report;
      // one call at a time then finds out. `silent_until`: the API does not state such a limit.
      """
      CREATE TABLE \(schema).limits (
        key text PRIMARY KEY, size integer, remaining integer, reset timestamptz,
        is_guess boolean NOT NULL DEFAULT false, is_uncertain boolean NOT NULL DEFAULT false,
        refusals integer NOT NULL DEFAULT 0, silent_until timestamptz, probe_server text, probe_end timestamptz
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)
      """,
      """
      CREATE TABLE \(schema).limit_grants (
        key text NOT NULL, server text NOT NULL, held integer NOT NULL, expires timestamptz NOT NULL,
        PRIMARY KEY (key, server)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)
      """,
      "CREATE SEQUENCE \(schema).limit_tickets",
      """
      CREATE TABLE \(schema).limit_waiters (
        key text NOT NULL, server text NOT NULL, ticket bigint NOT NULL, wanted integer NOT NULL,
        expires timestamptz NOT NULL, PRIMARY KEY (key, server)
      )
      """,
    ]
  }

  /// The function that reads and writes them, which replaces the existing one.
  static func syncLimits(_ schema: String) -> [String] {
    [
      """
      CREATE OR REPLACE FUNCTION \(schema).sync_limits(
        p_server text, p_channel text, p_lifetime double precision, p_keys text[], p_held integer[], p_wanted integer[],
        p_reports text[], p_sizes integer[], p_remaining integer[], p_resets double precision[]
      ) RETURNS TABLE (
        key text, state text, granted integer, size integer, remaining integer, seconds double precision, is_stated boolean
      ) LANGUAGE plpgsql AS $$
      #variable_conflict use_column
      DECLARE
        v_now timestamptz; v_limit \(schema).limits%ROWTYPE; v_expired integer; v_others integer; v_servers integer;
        v_waiting integer; v_free integer; v_given integer; v_ticket bigint; v_old integer;
        v_reset timestamptz; v_held integer; v_is_over boolean; v_reserved integer; v_share integer; v_expires timestamptz;
      BEGIN
        -- A server that loses its memory learns this again from the next response.
        PERFORM set_config('synchronous_commit', 'off', true);
        FOR i IN 1 .. cardinality(p_keys) LOOP
          INSERT INTO \(schema).limits AS l (key) VALUES (p_keys[i]) ON CONFLICT DO NOTHING;
          SELECT * INTO v_limit FROM \(schema).limits l WHERE l.key = p_keys[i] FOR UPDATE;
          v_now := clock_timestamp();

          WITH ended AS (
            DELETE FROM \(schema).limit_grants g
            WHERE g.key = p_keys[i] AND g.expires <= v_now AND g.server <> p_server RETURNING g.held
          ) SELECT coalesce(sum(ended.held), 0) INTO v_expired FROM ended;
          IF v_expired > 0 THEN v_limit.is_uncertain := true; END IF;
          SELECT coalesce(sum(g.held) FILTER (WHERE g.server <> p_server), 0),
                 count(*) FILTER (WHERE g.server <> p_server),
                 coalesce(sum(g.held) FILTER (WHERE g.server = p_server), 0)
            INTO v_others, v_servers, v_old FROM \(schema).limit_grants g WHERE g.key = p_keys[i];
          v_held := p_held[i];

          -- The limits from the responses.
          v_is_over := v_limit.reset IS NULL OR v_limit.reset <= v_now;
          v_reset := v_now + make_interval(secs => p_resets[i]);
          CASE p_reports[i]
          WHEN 'stated' THEN
            v_limit.refusals := 0; v_limit.silent_until := NULL; v_limit.size := coalesce(p_sizes[i], v_limit.size);
            IF NOT v_is_over AND NOT v_limit.is_guess AND v_limit.remaining IS NOT NULL
              AND abs(extract(epoch FROM v_reset - v_limit.reset)) <= 2 THEN
              v_limit.remaining := least(v_limit.remaining, p_remaining[i]); v_limit.is_uncertain := false;
            ELSIF v_is_over OR v_limit.is_guess OR v_reset > v_limit.reset THEN
              v_limit.remaining := p_remaining[i]; v_limit.reset := v_reset; v_limit.is_guess := false;
              v_limit.is_uncertain := false;
            ELSIF v_reset > v_now THEN
              -- Still this window: the longer a response is on its way, the later the end seems. The longer wait that a
              -- refusal has asked for stays.
              IF v_limit.remaining > 0 THEN v_limit.reset := v_reset; END IF;
              v_limit.remaining := least(v_limit.remaining, p_remaining[i]); v_limit.is_uncertain := false;
            END IF;
          WHEN 'silent' THEN
            v_limit.refusals := 0;
            IF v_is_over OR v_limit.is_guess THEN
              v_limit.remaining := NULL; v_limit.reset := NULL; v_limit.is_guess := false; v_limit.is_uncertain := false;
              v_limit.silent_until := v_now + interval '60 seconds';
            END IF;
          WHEN 'refused' THEN
            v_limit.refusals := v_limit.refusals + 1; v_limit.silent_until := NULL;
            v_limit.size := coalesce(p_sizes[i], v_limit.size);
            v_limit.remaining := 0; v_limit.is_uncertain := false; v_limit.is_guess := p_resets[i] IS NULL;
            v_limit.reset := greatest(
              v_now + interval '1 second',
              coalesce(v_reset, v_now + make_interval(secs => least(60, 2 ^ least(v_limit.refusals - 1, 6)))));
          WHEN 'noResponse' THEN v_limit.is_uncertain := true;
          ELSE NULL;
          END CASE;
          IF p_reports[i] <> '' AND v_limit.probe_server = p_server THEN
            v_limit.probe_server := NULL; v_limit.probe_end := NULL;
          END IF;
          IF v_limit.reset <= v_now THEN
            v_limit.remaining := NULL; v_limit.reset := NULL; v_limit.is_guess := false; v_limit.is_uncertain := false;
          END IF;

          -- The requested calls.
          v_given := 0;
          state := '';
          DELETE FROM \(schema).limit_waiters w WHERE w.key = p_keys[i] AND w.expires <= v_now;
          IF p_wanted[i] > 0 THEN
            SELECT w.ticket INTO v_ticket FROM \(schema).limit_waiters w WHERE w.key = p_keys[i] AND w.server = p_server;
            SELECT count(*) INTO v_waiting
              FROM \(schema).limit_waiters w WHERE w.key = p_keys[i] AND w.server <> p_server;
            IF v_limit.silent_until > v_now THEN
              state := 'silent';
            ELSIF v_limit.remaining IS NULL THEN
              -- One call of one server finds out what the new window allows.
              IF v_limit.probe_server IS NULL OR v_limit.probe_end <= v_now OR v_limit.probe_server = p_server THEN
                IF v_held = 0 THEN v_given := 1; END IF;
                v_limit.probe_server := p_server; v_limit.probe_end := v_now + make_interval(secs => p_lifetime);
              END IF;
            ELSIF v_limit.remaining <= 0 THEN
              state := 'exhausted';
            ELSE
              v_free := v_limit.remaining - v_others - v_held;
              IF v_limit.is_uncertain THEN v_free := CASE WHEN v_others + v_held = 0 THEN 1 ELSE 0 END; END IF;
              -- For those who came first, what they want is kept, up to an equal share.
              v_share := greatest(1, v_free / (v_waiting + v_servers + 1));
              SELECT coalesce(sum(least(w.wanted, v_share)), 0) INTO v_reserved FROM \(schema).limit_waiters w
                WHERE w.key = p_keys[i] AND w.server <> p_server AND (v_ticket IS NULL OR w.ticket < v_ticket);
              IF v_free > v_reserved THEN
                v_given := least(
                  p_wanted[i], greatest(1, (v_free - v_reserved) / (v_waiting + v_servers + 1)));
              END IF;
            END IF;
            IF state = '' THEN state := CASE WHEN v_given > 0 THEN 'granted' ELSE 'taken' END; END IF;
            IF state IN ('taken', 'exhausted') THEN
              -- Who waits for the next window has a place in line there, for a moment.
              v_expires := CASE state WHEN 'taken' THEN v_now + interval '5 seconds'
                ELSE coalesce(v_limit.reset, v_now) + interval '2 seconds' END;
              INSERT INTO \(schema).limit_waiters AS w (key, server, ticket, wanted, expires) VALUES
                (p_keys[i], p_server, nextval('\(schema).limit_tickets'), p_wanted[i], v_expires)
                ON CONFLICT (key, server) DO UPDATE SET wanted = excluded.wanted, expires = excluded.expires;
              -- Who has places that they do not use gives them back.
              IF state = 'taken' AND v_ticket IS NULL AND v_others > 0 THEN
                PERFORM pg_notify(p_channel, 'w' || p_keys[i]);
              END IF;
            ELSE
              DELETE FROM \(schema).limit_waiters w WHERE w.key = p_keys[i] AND w.server = p_server;
            END IF;
          END IF;
          v_held := v_held + v_given;
          IF v_held > 0 THEN
            INSERT INTO \(schema).limit_grants AS g VALUES
              (p_keys[i], p_server, v_held, v_now + make_interval(secs => p_lifetime))
              ON CONFLICT (key, server) DO UPDATE SET held = excluded.held, expires = excluded.expires;
          ELSIF v_old > 0 THEN
            DELETE FROM \(schema).limit_grants g WHERE g.key = p_keys[i] AND g.server = p_server;
          END IF;
          UPDATE \(schema).limits l SET (size, remaining, reset, is_guess, is_uncertain, refusals, silent_until,
            probe_server, probe_end) = (v_limit.size, v_limit.remaining, v_limit.reset, v_limit.is_guess,
            v_limit.is_uncertain, v_limit.refusals, v_limit.silent_until, v_limit.probe_server, v_limit.probe_end)
            WHERE l.key = p_keys[i];
          -- Waiting servers may find something now.
          IF (v_old > v_held OR p_reports[i] <> '') AND EXISTS (
            SELECT 1 FROM \(schema).limit_waiters w WHERE w.key = p_keys[i] AND w.server <> p_server) THEN
            PERFORM pg_notify(p_channel, 'l' || p_keys[i]);
          END IF;

          key := p_keys[i]; granted := v_given; size := v_limit.size; remaining := v_limit.remaining;
          seconds := extract(epoch FROM coalesce(v_limit.silent_until, v_limit.reset) - v_now);
          is_stated := v_limit.remaining IS NOT NULL AND NOT v_limit.is_guess;
          RETURN NEXT;
        END LOOP;
      END $$
      """
    ]
  }
}
