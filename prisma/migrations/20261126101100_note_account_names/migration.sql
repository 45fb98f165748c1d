-- compatible: the version before writes as it did; its names are noted too
CREATE TRIGGER "accounts_named" AFTER INSERT OR UPDATE OF "email_key", "username", "first_name", "last_name" ON "accounts"
    FOR EACH ROW EXECUTE FUNCTION "note_account_names"();
