-- The triggers, applied after every `functions.sql`.

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER kept BEFORE DELETE OR TRUNCATE ON ledger_holds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER kept BEFORE DELETE OR TRUNCATE ON ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER same_account BEFORE UPDATE OF id, key, guarded, created_at ON ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER ends_once BEFORE UPDATE ON ledger_holds FOR EACH ROW
  WHEN (
    old.ended_at IS NOT NULL OR new.ended_at IS NULL
    OR (new.id, new.account_id, new.amount, new.opened_at)
      IS DISTINCT FROM (old.id, old.account_id, old.amount, old.opened_at)
  ) EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('SA001');

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_anchors
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('SA001');

CREATE OR REPLACE TRIGGER kept BEFORE DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('SA001');

CREATE OR REPLACE TRIGGER goes_forward BEFORE UPDATE ON audit_head FOR EACH ROW
  WHEN (new.seq <> old.seq + 1) EXECUTE FUNCTION refuse_change('SA001');

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settings_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('SA001');

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_steps
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON float_moves
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('SA001');

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON day_closes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('SA001');

-- The texts of an entry may be erased, and never come back.
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE ON complaint_entries FOR EACH ROW
  WHEN ((
    new.words IS NULL AND new.author_id IS NOT DISTINCT FROM old.author_id
    AND (new.id, new.complaint_id, new.author, new.step, new.at)
      = (old.id, old.complaint_id, old.author, old.step, old.at)
  ) IS NOT TRUE) EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER kept BEFORE DELETE OR TRUNCATE ON complaint_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER note_sales AFTER UPDATE ON orders
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sales_note_changes();

CREATE OR REPLACE TRIGGER note_sales_written AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.status = 'paid' AND NEW.seller_id IS NOT NULL)
  EXECUTE FUNCTION sales_note_changes();

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON membership_grants
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER outbox_written AFTER INSERT ON outbox
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION outbox_notify();
