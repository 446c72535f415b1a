-- Personal data goes when nobody needs it: the words of a closed complaint, what a decided payment's
-- widget was given of its payer.
--
-- Locks: SHARE ROW EXCLUSIVE on claim_entries and payments for a moment, to change their triggers.
SET LOCAL lock_timeout = '2s';

-- Entries stay as they were written; their words alone may be taken away, and never come back.
CREATE FUNCTION claim_entries_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'UPDATE' THEN
    IF new.words IS NULL
      AND (new.id, new.claim_id, new.author, new.step, new.at)
        = (old.id, old.claim_id, old.author, old.step, old.at)
      AND new.author_id IS NOT DISTINCT FROM old.author_id THEN
      RETURN new;
    END IF;
  END IF;
  RAISE EXCEPTION '% on % refused: only the words of an entry may be taken away',
    tg_op, tg_table_name USING errcode = 'SL003';
END $$;

DROP TRIGGER append_only ON claim_entries;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON claim_entries
  FOR EACH ROW EXECUTE FUNCTION claim_entries_refuse_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON claim_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

-- A decided payment opens no widget any more: the name, e-mail and phone it was given go at once. A
-- refused one may still be tried again on its page.
CREATE FUNCTION payments_forget_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.widget := new.widget - 'customer';
  RETURN new;
END $$;

CREATE TRIGGER forget_customer BEFORE UPDATE OF status ON payments
  FOR EACH ROW WHEN (new.widget IS NOT NULL AND new.status NOT IN ('pending', 'refused'))
  EXECUTE FUNCTION payments_forget_customer();

UPDATE payments SET widget = widget - 'customer'
WHERE widget ? 'customer' AND status NOT IN ('pending', 'refused');
