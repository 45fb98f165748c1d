-- For the estimate that every start asks for: the last runs of the same work, newest first. Duration is '' for pictures.
CREATE INDEX "generations_estimate_idx"
  ON "generations"("kind", "engine", (coalesce("settings" ->> 'duration', '')), "created_at" DESC)
  WHERE "status" = 'completed';
