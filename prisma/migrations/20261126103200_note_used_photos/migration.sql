-- compatible: the version before writes as it did; its inputs are noted too
CREATE TRIGGER "generation_inputs_used" AFTER INSERT ON "generation_inputs"
    FOR EACH ROW EXECUTE FUNCTION "note_used_photo"();
