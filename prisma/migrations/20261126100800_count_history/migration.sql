-- Counts what was there before the triggers. One statement sees one moment: all rows, and what the triggers have counted
-- of them so far. What they count later is added to it, so nothing has to be locked.
-- compatible: writes a table that the version before does not know
INSERT INTO "daily_counts" AS kept ("metric", "day", "about", "amount")
SELECT metric, day, about, sum(amount) FROM (
    SELECT counts.* FROM accounts, counts_of(accounts) AS counts
    UNION ALL SELECT counts.* FROM generations, counts_of(generations) AS counts
    UNION ALL SELECT counts.* FROM engine_runs, counts_of(engine_runs) AS counts
    UNION ALL SELECT counts.* FROM payments, counts_of(payments) AS counts
    UNION ALL SELECT counts.* FROM refunds, counts_of(refunds) AS counts
    UNION ALL SELECT counts.* FROM analytics_events, counts_of(analytics_events) AS counts
    UNION ALL SELECT metric, day, about, -amount FROM count_changes
    UNION ALL SELECT metric, day, about, -amount FROM daily_counts
) AS missing
WHERE day IS NOT NULL GROUP BY metric, day, about HAVING sum(amount) <> 0
ON CONFLICT ("metric", "day", "about") DO UPDATE SET "amount" = kept.amount + excluded.amount;
