-- AlterTable
ALTER TABLE "results" ADD COLUMN     "watermarked_bytes" INTEGER;

-- CreateTable
CREATE TABLE "video_copy_orders" (
    "result_id" UUID NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "video_copy_orders_pkey" PRIMARY KEY ("result_id")
);

-- AddForeignKey
ALTER TABLE "video_copy_orders" ADD CONSTRAINT "video_copy_orders_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE CASCADE ON UPDATE CASCADE;
