-- Amounts stand in minor units of their payment's currency, which is not always roubles. Renaming rewrites no table, and the
-- checks on these columns follow.
ALTER TABLE "payments" RENAME COLUMN "amount_kopecks" TO "amount_minor";
ALTER TABLE "payments" RENAME COLUMN "refunded_kopecks" TO "refunded_minor";
ALTER TABLE "refunds" RENAME COLUMN "amount_kopecks" TO "amount_minor";
