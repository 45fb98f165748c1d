-- AlterTable
ALTER TABLE "photos" ADD COLUMN     "mask_bytes" INTEGER,
ADD COLUMN     "master_bytes" INTEGER,
ADD COLUMN     "preview_bytes" INTEGER,
ADD COLUMN     "thumbnail_bytes" INTEGER;

-- AlterTable
ALTER TABLE "results" ADD COLUMN     "poster_bytes" INTEGER,
ADD COLUMN     "thumbnail_bytes" INTEGER,
ADD COLUMN     "watermarked_poster_bytes" INTEGER,
ADD COLUMN     "watermarked_thumbnail_bytes" INTEGER;
