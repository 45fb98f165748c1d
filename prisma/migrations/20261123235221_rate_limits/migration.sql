-- CreateTable
CREATE TABLE "rate_limits" (
    "key" BYTEA NOT NULL,
    "count" INTEGER NOT NULL,
    "pending" INTEGER NOT NULL DEFAULT 0,
    "pending_until" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);
