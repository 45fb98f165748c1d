-- At the commit, so that those who end work of one kind at once wait for each other no longer than for that.
-- compatible: the version before writes as it did; its runs are noted too
CREATE CONSTRAINT TRIGGER "generations_timed" AFTER INSERT OR UPDATE OF "status" ON "generations"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.status = 'completed' AND NEW.finished_at IS NOT NULL AND NEW.reroll_of_id IS NULL)
    EXECUTE FUNCTION "note_work_time"();
