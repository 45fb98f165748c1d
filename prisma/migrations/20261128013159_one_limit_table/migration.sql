-- DropTable
DROP TABLE "rate_limits";
