-- CreateTable
CREATE TABLE "installation" (
    "singleton" BOOLEAN NOT NULL DEFAULT true,
    "id" UUID NOT NULL,
    "storage_marked_at" TIMESTAMPTZ(3),

    CONSTRAINT "installation_pkey" PRIMARY KEY ("singleton"),
    -- One row.
    CONSTRAINT "installation_singleton_check" CHECK ("singleton")
);
