-- Who did what, when, before and after.
--
-- Why it is built so
-- · Each row carries the hash of the one before and its own, over all its fields: a changed field,
--   a row taken out of the middle, put in, or moved breaks the chain where it happened.
-- · What the last row is stands in a second table, and every hour once more as an anchor: rows cut
--   from the end are missed, and a chain written anew from the start meets its anchors.
-- · The head's row is the lock: writers take turns from `audit_append` to their commit, so numbers
--   have no gap. To be called last in a transaction.
--
-- Errors, bugs of the caller: SA001 a change of what is written.

CREATE OR REPLACE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % refused: what was done stays written', tg_op, tg_table_name
    USING errcode = 'SA001';
END $$;

-- The text a row's hash is made of: an array in JSON, so no field can pass for another. jsonb has
-- one writing for one value (its keys in order); an absent value is null, JSON's own null "null".
CREATE OR REPLACE FUNCTION audit_text(a audit_log) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(a.seq, (extract(epoch FROM a.at) * 1000000)::bigint, a.actor_id,
    a.actor_role, a.action, a.subject, a.before::text, a.after::text, a.reason,
    encode(a.previous_hash, 'hex'))::text
$$;

-- Writes one row at the end of the chain, which nobody else extends until the commit. → its number.
CREATE OR REPLACE FUNCTION audit_append(
  p_at timestamptz, p_actor_id bigint, p_actor_role text, p_action text, p_subject text,
  p_before jsonb, p_after jsonb, p_reason text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_row audit_log;
BEGIN
  SELECT h.seq + 1, h.hash INTO STRICT v_row.seq, v_row.previous_hash
  FROM audit_head h FOR UPDATE;
  v_row.at := p_at;
  v_row.actor_id := p_actor_id;
  v_row.actor_role := p_actor_role;
  v_row.action := p_action;
  v_row.subject := p_subject;
  v_row.before := p_before;
  v_row.after := p_after;
  v_row.reason := p_reason;
  v_row.hash := sha256(convert_to(audit_text(v_row), 'UTF8'));
  INSERT INTO audit_log VALUES (v_row.*);
  UPDATE audit_head SET seq = v_row.seq, hash = v_row.hash;
  RETURN v_row.seq;
END $$;

-- Where the chain is broken first, and what else does not fit it; nothing when it is whole. One
-- statement, so one instant; reads all.
CREATE OR REPLACE FUNCTION audit_check()
RETURNS TABLE (invariant text, subject text, expected text, found text) LANGUAGE sql STABLE AS $$
  WITH link AS (
    SELECT a.seq, a.hash, a.previous_hash, sha256(convert_to(audit_text(a), 'UTF8')) AS true_hash,
      coalesce(lag(a.seq) OVER chain, 0) + 1 AS true_seq,
      coalesce(lag(a.hash) OVER chain, sha256('')) AS true_previous
    FROM audit_log a WINDOW chain AS (ORDER BY a.seq)
  ), first_break AS (
    SELECT l.* FROM link l
    WHERE l.seq <> l.true_seq OR l.previous_hash <> l.true_previous OR l.hash <> l.true_hash
    ORDER BY l.seq LIMIT 1
  ), last AS (
    SELECT coalesce(max(a.seq), 0) AS seq FROM audit_log a
  )
  SELECT CASE WHEN b.seq <> b.true_seq THEN 'gap in the log'
      WHEN b.previous_hash <> b.true_previous THEN 'link of the log' ELSE 'row of the log' END,
    'audit:' || b.seq,
    CASE WHEN b.seq <> b.true_seq THEN b.true_seq::text
      WHEN b.previous_hash <> b.true_previous THEN encode(b.true_previous, 'hex')
      ELSE encode(b.true_hash, 'hex') END,
    CASE WHEN b.seq <> b.true_seq THEN b.seq::text
      WHEN b.previous_hash <> b.true_previous THEN encode(b.previous_hash, 'hex')
      ELSE encode(b.hash, 'hex') END
  FROM first_break b
  UNION ALL
  SELECT 'end of the log', 'audit:' || last.seq,
    coalesce(h.seq || ' ' || encode(h.hash, 'hex'), 'a head'),
    last.seq || ' ' || encode(coalesce(a.hash, sha256('')), 'hex')
  FROM last
  LEFT JOIN audit_log a ON a.seq = last.seq
  LEFT JOIN audit_head h ON true
  WHERE (h.seq = last.seq AND h.hash = coalesce(a.hash, sha256(''))) IS NOT true
  UNION ALL
  (SELECT 'anchor of the log', 'audit:' || n.seq, encode(n.hash, 'hex'),
    coalesce(encode(a.hash, 'hex'), 'absent')
  FROM audit_anchors n LEFT JOIN audit_log a ON a.seq = n.seq
  WHERE a.hash IS DISTINCT FROM n.hash
  ORDER BY n.seq LIMIT 1)
$$;

-- Keeps what the head is now, unless it was kept before. → it, or none when the log is empty.
CREATE OR REPLACE FUNCTION audit_anchor(p_now timestamptz)
RETURNS TABLE (seq bigint, hash text) LANGUAGE sql AS $$
  INSERT INTO audit_anchors (seq, hash, taken_at)
  SELECT h.seq, h.hash, p_now FROM audit_head h WHERE h.seq > 0
  ON CONFLICT (seq) DO NOTHING;
  SELECT h.seq, encode(h.hash, 'hex') FROM audit_head h WHERE h.seq > 0
$$;
