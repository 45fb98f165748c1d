-- AlterTable
ALTER TABLE "photos" ADD COLUMN     "result_id" UUID,
ADD COLUMN     "stored_bytes" INTEGER NOT NULL DEFAULT 0,
ALTER COLUMN "master_key" DROP NOT NULL,
ALTER COLUMN "preview_key" DROP NOT NULL,
ALTER COLUMN "thumbnail_key" DROP NOT NULL;

-- The size is told with each new photo.
ALTER TABLE "photos" ALTER COLUMN "stored_bytes" DROP DEFAULT;

-- A picked result has no files of its own.
ALTER TABLE "photos" ADD CONSTRAINT "photos_files_check" CHECK (
    num_nonnulls("master_key", "preview_key", "thumbnail_key") = CASE WHEN "result_id" IS NULL THEN 3 ELSE 0 END
    AND ("result_id" IS NULL OR "stored_bytes" = 0)
);

-- CreateIndex
CREATE INDEX "photos_result_id_idx" ON "photos"("result_id");

-- AddForeignKey
ALTER TABLE "photos" ADD CONSTRAINT "photos_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
