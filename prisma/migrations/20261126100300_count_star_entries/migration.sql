-- A hold is written with the start, and counted with the end.
-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "star_entries_counted" AFTER INSERT ON "star_entries"
    FOR EACH ROW WHEN (NEW.generation_id IS NOT NULL AND NEW.kind <> 'hold') EXECUTE FUNCTION "keep_counts"();
