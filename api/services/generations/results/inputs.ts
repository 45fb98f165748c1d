import type { Db, Tx } from '#api/database/database.ts';
import { selectFields } from '#api/database/select-fields.ts';
import { type Photo, Prisma } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { type InputRole, TOOLS } from '#shared/rules/tools.ts';

/** A photo that a generation is made from, and its role. */
export type InputPhoto = Photo & { generationId: string; role: InputRole };

const INPUT_PHOTO_COLUMNS = selectFields('photo', Object.values(Prisma.PhotoScalarFieldEnum));

/** Whether a generation of this kind still has all its photos. Their owner may delete one once it has ended. */
export function hasAllPhotos(kind: GenerationKind, photos: readonly unknown[]): boolean {
  return photos.length === TOOLS[kind].inputs.length;
}

/** The photos of one generation, in order. */
export async function listInputs(db: Db | Tx, generationId: string): Promise<InputPhoto[]> {
  return (await listInputsOf(db, [generationId])).get(generationId) ?? [];
}

/** The photos of several generations, by generation id. One statement, because pages that show them poll often. */
export async function listInputsOf(db: Db | Tx, generationIds: readonly string[]): Promise<Map<string, InputPhoto[]>> {
  if (generationIds.length === 0) return new Map();
  const inputs = await db.$queryRaw<InputPhoto[]>`
    select input.generation_id as "generationId", input.role, ${INPUT_PHOTO_COLUMNS}
    from generation_inputs as input join photos as photo on photo.id = input.photo_id
    where input.generation_id = any(${generationIds}::uuid[])
    order by input.generation_id, input.position`;
  return Map.groupBy(inputs, ({ generationId }) => generationId);
}
