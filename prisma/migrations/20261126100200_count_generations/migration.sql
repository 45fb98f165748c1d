-- Only its end changes a count, so that a start is not slowed down.
-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "generations_counted" AFTER INSERT ON "generations"
    FOR EACH ROW WHEN (NEW.status IN ('completed', 'failed')) EXECUTE FUNCTION "keep_counts"();
-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "generations_recounted"
    AFTER UPDATE OF "status", "kind", "engine", "failure_code", "created_at", "finished_at" ON "generations"
    FOR EACH ROW WHEN (OLD.status IN ('completed', 'failed') OR NEW.status IN ('completed', 'failed'))
    EXECUTE FUNCTION "keep_counts"();
-- compatible: the version before deletes no rows
CREATE TRIGGER "generations_uncounted" AFTER DELETE ON "generations"
    FOR EACH ROW WHEN (OLD.status IN ('completed', 'failed')) EXECUTE FUNCTION "keep_counts"();
