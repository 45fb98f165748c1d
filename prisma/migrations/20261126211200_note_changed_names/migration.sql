-- A form is saved with all its fields, most of them as they were.
-- compatible: the version before writes as it did; its names are noted too
CREATE TRIGGER "accounts_renamed" AFTER UPDATE OF "email_key", "username", "first_name", "last_name" ON "accounts"
    FOR EACH ROW WHEN (
        (OLD.email_key, OLD.username, OLD.first_name, OLD.last_name)
        IS DISTINCT FROM (NEW.email_key, NEW.username, NEW.first_name, NEW.last_name)
    ) EXECUTE FUNCTION "note_account_names"();
-- compatible: the version before writes as it did; its names are noted too
CREATE OR REPLACE TRIGGER "accounts_named" AFTER INSERT ON "accounts" FOR EACH ROW EXECUTE FUNCTION "note_account_names"();
