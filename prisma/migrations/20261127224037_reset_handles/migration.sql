-- AlterTable
ALTER TABLE "email_codes" ADD COLUMN     "handle_hash" BYTEA;

-- AlterTable
ALTER TABLE "rate_limits" DROP COLUMN "pending",
DROP COLUMN "pending_until";
