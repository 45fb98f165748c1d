-- compatible: the version before writes as it did; its names are noted too
CREATE TRIGGER "telegram_users_named" AFTER INSERT OR DELETE OR UPDATE OF "account_id", "username" ON "telegram_users"
    FOR EACH ROW EXECUTE FUNCTION "note_telegram_names"();
