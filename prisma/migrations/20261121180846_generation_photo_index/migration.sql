-- CreateIndex
CREATE INDEX "generations_photo_id_idx" ON "generations"("photo_id");
