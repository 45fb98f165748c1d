-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "accounts_counted" AFTER INSERT OR DELETE ON "accounts"
    FOR EACH ROW EXECUTE FUNCTION "keep_counts"();
-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "accounts_recounted" AFTER UPDATE OF "created_at" ON "accounts"
    FOR EACH ROW WHEN (OLD.created_at <> NEW.created_at) EXECUTE FUNCTION "keep_counts"();
