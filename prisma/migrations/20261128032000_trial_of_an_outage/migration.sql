-- AlterTable
ALTER TABLE "engine_outages" ADD COLUMN     "trial_generation_id" UUID;
