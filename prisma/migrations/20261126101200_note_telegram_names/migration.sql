-- compatible: the version before writes as it did; its names are noted too
CREATE TRIGGER "telegram_users_named" AFTER INSERT OR DELETE ON "telegram_users"
    FOR EACH ROW EXECUTE FUNCTION "note_telegram_names"();
-- Every message to the bot writes the name that its sender has, which is mostly the same.
-- compatible: the version before writes as it did; its names are noted too
CREATE TRIGGER "telegram_users_renamed" AFTER UPDATE OF "account_id", "username" ON "telegram_users"
    FOR EACH ROW WHEN (OLD.account_id IS DISTINCT FROM NEW.account_id OR OLD.username IS DISTINCT FROM NEW.username)
    EXECUTE FUNCTION "note_telegram_names"();
