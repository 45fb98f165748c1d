-- A photo that is used meanwhile may stay noted. The clean-up looks again before it removes one.
-- compatible: writes a table that the version before does not know
INSERT INTO "unused_photos" ("photo_id", "created_at")
SELECT id, created_at FROM photos WHERE NOT EXISTS (SELECT FROM generation_inputs WHERE photo_id = photos.id)
ON CONFLICT DO NOTHING;
