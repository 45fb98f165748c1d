-- CreateTable
CREATE TABLE "unused_photos" (
    "photo_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unused_photos_pkey" PRIMARY KEY ("photo_id")
);

-- CreateIndex
CREATE INDEX "unused_photos_created_at_idx" ON "unused_photos"("created_at");

-- AddForeignKey
-- compatible: the table is new, and its rows go with their photos
ALTER TABLE "unused_photos" ADD CONSTRAINT "unused_photos_photo_id_fkey" FOREIGN KEY ("photo_id") REFERENCES "photos"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- compatible: the version before calls no functions
CREATE FUNCTION "note_unused_photo"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO unused_photos (photo_id, created_at) VALUES (NEW.id, NEW.created_at)
    ON CONFLICT (photo_id) DO UPDATE SET created_at = excluded.created_at;
    RETURN NULL;
END
$$;

-- compatible: the version before calls no functions
CREATE FUNCTION "note_used_photo"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM unused_photos WHERE photo_id = NEW.photo_id;
    RETURN NULL;
END
$$;
