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
-- Errors, bugs of the caller: SA001 a change of what is written (database/triggers.sql).

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
