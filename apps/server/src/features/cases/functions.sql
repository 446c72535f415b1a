-- Entries stay as they were written; their words alone may be taken away, and never come back.
CREATE OR REPLACE FUNCTION claim_entries_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
