-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "engine_runs_counted" AFTER INSERT OR DELETE ON "engine_runs"
    FOR EACH ROW EXECUTE FUNCTION "keep_counts"();
-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "engine_runs_recounted" AFTER UPDATE OF "status", "cost_micros" ON "engine_runs"
    FOR EACH ROW WHEN (OLD.status = 'uncertain' OR NEW.status = 'uncertain' OR OLD.cost_micros <> NEW.cost_micros)
    EXECUTE FUNCTION "keep_counts"();
