-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "payments_counted" AFTER INSERT OR DELETE ON "payments"
    FOR EACH ROW EXECUTE FUNCTION "keep_counts"();
-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "payments_recounted" AFTER UPDATE OF "status", "dismissed_at", "paid_at", "created_at" ON "payments"
    FOR EACH ROW EXECUTE FUNCTION "keep_counts"();
