-- A withdrawal holds at the request, pays at the approval, releases at a cancellation or rejection.
DO $$
DECLARE
  v_now timestamptz := '2026-03-01 12:00:00Z';
  v_provider bigint := (ledger_open_accounts(array['provider:example'], false, v_now))[1];
  v_fees bigint := (ledger_open_accounts(array['fees:example'], false, v_now))[1];
  v_transit bigint := (ledger_open_accounts(array['payouts:example'], false, v_now))[1];
  v_seller bigint := (ledger_open_accounts(array['seller:example'], true, v_now))[1];
BEGIN
  PERFORM ledger_post_sales(
    ARRAY['sale:example:1'], ARRAY[v_provider], ARRAY[v_seller], ARRAY[4100], v_fees, ARRAY[900],
    ARRAY[v_now], v_now);

  -- Two requests are made; a third finds too little, although 4 100 are still posted.
  ASSERT ledger_hold('hold:example:1', v_seller, 3000, v_now) = 'held';
  ASSERT ledger_hold('hold:example:2', v_seller, 1000, v_now) = 'held';
  ASSERT ledger_hold('hold:example:3', v_seller, 101, v_now) = 'insufficient';
  ASSERT ledger_balance(v_seller) = 4100;

  -- The first is approved: until the operator confirms, the francs are in transit.
  ASSERT ledger_pay_hold('hold:example:1', 'payout:example:1',
    ARRAY[v_seller, v_transit], ARRAY[-3000, 3000], v_now, v_now) = 'paid';
  ASSERT ledger_pay_hold('hold:example:1', 'payout:example:1',
    ARRAY[v_seller, v_transit], ARRAY[-3000, 3000], v_now, v_now) = 'duplicate';

  -- The second is cancelled: it can no longer be paid, and its francs are available again.
  ASSERT ledger_release_hold('hold:example:2', v_now) = 'released';
  ASSERT ledger_pay_hold('hold:example:2', 'payout:example:2',
    ARRAY[v_seller, v_transit], ARRAY[-1000, 1000], v_now, v_now) = 'released';
  ASSERT ledger_hold('hold:example:4', v_seller, 1100, v_now) = 'held';

  ASSERT ledger_balance(v_seller) = 1100 AND ledger_balance(v_transit) = 3000;
END $$;
