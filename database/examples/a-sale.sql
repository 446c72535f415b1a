-- A sale of 5 000 francs with a fee of 18 %: the provider owes 5 000, the seller has 4 100, the platform
-- 900. Runs after the migrations, in a transaction that is rolled back. `ASSERT` states the results.
DO $$
DECLARE
  v_now timestamptz := '2026-03-01 12:00:00Z';
  v_provider bigint := (ledger_open_accounts(array['provider:example'], false, v_now))[1];
  v_fees bigint := (ledger_open_accounts(array['fees:example'], false, v_now))[1];
  v_seller bigint := (ledger_open_accounts(array['seller:example'], true, v_now))[1];
BEGIN
  ASSERT ledger_post_sales(
    ARRAY['sale:example:1'], ARRAY[v_provider], ARRAY[v_seller], ARRAY[4100], v_fees, ARRAY[900],
    ARRAY[v_now], v_now) = ARRAY['posted'];

  ASSERT ledger_balance(v_provider) = -5000;
  ASSERT ledger_balance(v_seller) = 4100;
  ASSERT ledger_balance(v_fees) = 900;

  -- The provider reports it twice: nothing changes.
  ASSERT ledger_post_sales(
    ARRAY['sale:example:1'], ARRAY[v_provider], ARRAY[v_seller], ARRAY[4100], v_fees, ARRAY[900],
    ARRAY[v_now], v_now) = ARRAY['duplicate'];

  -- The same sale with another split is refused; the sale beside it is not.
  ASSERT ledger_post_sales(
    ARRAY['sale:example:1', 'sale:example:2'], ARRAY[v_provider, v_provider],
    ARRAY[v_seller, v_seller], ARRAY[4500, 820], v_fees, ARRAY[500, 180],
    ARRAY[v_now, v_now], v_now) = ARRAY['conflict', 'posted'];

  ASSERT ledger_balance(v_seller) = 4920;
END $$;
