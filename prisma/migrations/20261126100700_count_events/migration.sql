-- compatible: the version before writes as it did; its rows are counted too
CREATE TRIGGER "analytics_events_counted" AFTER INSERT OR DELETE ON "analytics_events"
    FOR EACH ROW EXECUTE FUNCTION "keep_counts"();
