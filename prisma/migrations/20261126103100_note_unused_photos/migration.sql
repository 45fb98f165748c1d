-- compatible: the version before writes as it did; its photos are noted too
CREATE TRIGGER "photos_unused" AFTER INSERT OR UPDATE OF "created_at" ON "photos"
    FOR EACH ROW EXECUTE FUNCTION "note_unused_photo"();
