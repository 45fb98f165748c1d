import type { Db, Tx } from '#api/db.ts';
import type { Photo } from '#prisma/generated/client.ts';
import type { InputRole } from '#shared/rules/tools.ts';

/** A photo that a generation is made from, and its role. */
export type InputPhoto = Photo & { generationId: string; role: InputRole };

/** The photos of one generation, in order. */
export async function listInputs(db: Db | Tx, generationId: string): Promise<InputPhoto[]> {
  return (await listInputsOf(db, [generationId])).get(generationId) ?? [];
}

/** The photos of several generations, by generation id. One statement, because pages that show them poll often. */
export async function listInputsOf(db: Db | Tx, generationIds: readonly string[]): Promise<Map<string, InputPhoto[]>> {
  if (generationIds.length === 0) return new Map();
  const inputs = await db.$queryRaw<InputPhoto[]>`
    select input.generation_id as "generationId", input.role, photo.id, photo.account_id as "accountId", photo.name,
      photo.type, photo.size, photo.width, photo.height, photo.master_key as "masterKey",
      photo.preview_key as "previewKey", photo.thumbnail_key as "thumbnailKey", photo.mask_key as "maskKey",
      photo.created_at as "createdAt"
    from generation_inputs as input join photos as photo on photo.id = input.photo_id
    where input.generation_id = any(${generationIds}::uuid[])
    order by input.generation_id, input.position`;
  return Map.groupBy(inputs, ({ generationId }) => generationId);
}
