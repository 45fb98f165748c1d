-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "refunds_counted" AFTER INSERT OR DELETE ON "refunds"
    FOR EACH ROW EXECUTE FUNCTION "keep_counts"();
-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "refunds_recounted" AFTER UPDATE OF "status", "finished_at" ON "refunds"
    FOR EACH ROW EXECUTE FUNCTION "keep_counts"();
