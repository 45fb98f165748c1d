-- A generation may be made from several photos: those it has so far are the first and only ones. Keys, index and foreign
-- keys come after the rows, each in one pass over them.

-- CreateEnum
CREATE TYPE "input_role" AS ENUM ('subject');

-- CreateTable
CREATE TABLE "generation_inputs" (
    "generation_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "role" "input_role" NOT NULL,
    "photo_id" UUID NOT NULL
);

INSERT INTO "generation_inputs" ("generation_id", "position", "role", "photo_id")
SELECT "id", 0, 'subject', "photo_id" FROM "generations";

-- AddPrimaryKey
ALTER TABLE "generation_inputs" ADD CONSTRAINT "generation_inputs_pkey" PRIMARY KEY ("generation_id", "position");

-- CreateIndex
CREATE INDEX "generation_inputs_photo_id_idx" ON "generation_inputs"("photo_id");

-- AddForeignKey
ALTER TABLE "generation_inputs" ADD CONSTRAINT "generation_inputs_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generation_inputs" ADD CONSTRAINT "generation_inputs_photo_id_fkey" FOREIGN KEY ("photo_id") REFERENCES "photos"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AlterTable: its foreign key and its index go with the column.
ALTER TABLE "generations" DROP COLUMN "photo_id";

-- Or the first queries would be planned for an empty table.
ANALYZE "generation_inputs";
