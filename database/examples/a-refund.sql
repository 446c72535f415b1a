-- The whole price is refunded, the fee too. Another transfer corrects the ledger, the first is
-- never changed; and a seller's account never goes below what is available.
DO $$
DECLARE
  v_now timestamptz := '2026-03-01 12:00:00Z';
  v_provider bigint := (ledger_open_accounts(array['provider:example'], false, v_now))[1];
  v_fees bigint := (ledger_open_accounts(array['fees:example'], false, v_now))[1];
  v_seller bigint := (ledger_open_accounts(array['seller:example'], true, v_now))[1];
BEGIN
  -- Two transfers in one call: p_leg_transfer gives the transfer of each leg, from 1.
  ASSERT ledger_post(
    ARRAY['sale:example:1', 'refund:example:1'],
    ARRAY[1, 1, 1, 2, 2, 2],
    ARRAY[v_provider, v_seller, v_fees, v_seller, v_fees, v_provider],
    ARRAY[-5000, 4100, 900, -4100, -900, 5000],
    ARRAY[v_now, v_now], v_now) = ARRAY['posted', 'posted'];

  ASSERT ledger_balance(v_seller) = 0 AND ledger_balance(v_fees) = 0;

  -- The account is empty: refused, as a value, and nothing is written.
  ASSERT ledger_post(
    ARRAY['refund:example:2'], ARRAY[1, 1], ARRAY[v_seller, v_provider], ARRAY[-1, 1],
    ARRAY[v_now], v_now) = ARRAY['insufficient'];

  -- The database refuses to delete the refund.
  BEGIN
    DELETE FROM ledger_entries WHERE transfer_id = 'refund:example:1';
    ASSERT false, 'an entry was deleted';
  EXCEPTION WHEN SQLSTATE 'SL003' THEN
    NULL;
  END;
END $$;
