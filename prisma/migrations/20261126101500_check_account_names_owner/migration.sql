-- compatible: only checks; accounts can be changed meanwhile
ALTER TABLE "account_names" VALIDATE CONSTRAINT "account_names_account_id_fkey";
