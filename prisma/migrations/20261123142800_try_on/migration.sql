-- AlterEnum
ALTER TYPE "generation_kind" ADD VALUE 'try_on';

-- AlterEnum
ALTER TYPE "input_role" ADD VALUE 'person';
