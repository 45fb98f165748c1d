-- A re-roll that made only some of its outputs has replaced the others neither by a picture nor by stars.
ALTER TABLE "generations" ADD COLUMN "missed_positions" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
