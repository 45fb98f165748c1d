-- CreateTable
CREATE TABLE "limit_counts" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMPTZ(3),

    CONSTRAINT "limit_counts_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "limit_counts_expire_idx" ON "limit_counts"("expire");
