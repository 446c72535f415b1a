-- Who did what, when, before and after.
--
-- Why it is built so
-- · Each row has the hash of the previous row and its own, over all its fields: a changed field, or
--   a row deleted from the middle, inserted, or moved breaks the chain at that place.
-- · A second table has the head, and every hour it is also stored as an anchor: so rows deleted from
--   the end are missing, and a chain rewritten from the start does not match its anchors.
-- · The head's row is the lock: writers wait for each other from `audit_append` to their commit, so
--   numbers have no gap. Call it last in a transaction.
--
-- Errors, bugs of the caller: SA001 a change of written rows (database/triggers.sql).

-- The input of a row's hash: a JSON array, so that no field can be mistaken for another. jsonb has
-- one text for each value (its keys in order); an absent value is null, JSON's own null "null".
CREATE OR REPLACE FUNCTION audit_text(a audit_log) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(a.seq, (extract(epoch FROM a.at) * 1000000)::bigint, a.actor_id,
    a.actor_role, a.action, a.subject, a.before::text, a.after::text, a.reason,
    encode(a.previous_hash, 'hex'))::text
$$;

-- Writes one row at the end of the chain, which is locked until the commit. → its number.
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
