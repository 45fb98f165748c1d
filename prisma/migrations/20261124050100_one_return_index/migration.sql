-- The price of an output comes back once, whether for a complaint or for a loss, and whichever re-roll made it.
-- compatible: the version before leaves this column empty, and such rows are not in the index
CREATE UNIQUE INDEX "star_entries_one_return_key" ON "star_entries"("generation_id", "result_position")
    WHERE "result_position" IS NOT NULL;
