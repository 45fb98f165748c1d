-- Without the time a withdrawn consent looks like one that nobody was ever asked for.
ALTER TABLE "accounts" ADD COLUMN "transfer_withdrawn_at" TIMESTAMPTZ(3);
