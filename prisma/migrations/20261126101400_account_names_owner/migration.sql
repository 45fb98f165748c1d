-- After the names were filled in, and unchecked at first: its check of each row would hold a lock on that account until all
-- are filled in.
-- compatible: the version before deletes no accounts, and the triggers name accounts that exist
ALTER TABLE "account_names" ADD CONSTRAINT "account_names_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
