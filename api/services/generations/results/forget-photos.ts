import type { Tx } from '#api/database/database.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';

/**
 * Removes the rows of photos with all that was made of their pixels, except results. Those stay and have no source any
 * more. Returns false and changes nothing while a running generation needs one of the photos. A start that comes later
 * finds no photo. The files are the caller's matter.
 */
export async function forgetPhotos(tx: Tx, photoIds: readonly string[]): Promise<boolean> {
  if (photoIds.length === 0) return true;
  const photoId = { in: [...photoIds] };
  // A start that has begun refers to the photo already, so it ends first. A later one waits.
  await tx.$executeRaw`select from photos where id = any(${photoIds}::uuid[]) order by id for update`;
  const uses = await tx.generationInput.findMany({ where: { photoId }, select: { generationId: true } });
  const generationIds = [...new Set(uses.map(({ generationId }) => generationId))];
  const running = await tx.generation.count({
    where: { id: { in: generationIds }, status: { in: [...ACTIVE_STATUSES] } },
  });
  if (running > 0) return false;
  const unfinished = await tx.batchRow.count({ where: { photoId, stage: { in: ['duplicate', 'ready', 'waiting'] } } });
  const persons = await tx.batch.count({ where: { personPhotoId: photoId, status: { not: 'open' } } });
  if (unfinished + persons > 0) return false;
  // A comparison that is being recorded ends first. See `record` in check-garment.ts.
  await tx.$executeRaw`
    select from generations where id = any(${generationIds}::uuid[]) order by id for no key update`;
  const isFromPhoto = { generation: { inputs: { some: { photoId, role: 'subject' } } } } as const;
  await tx.garmentCheck.updateMany({ where: { result: isFromPhoto }, data: { sourceCrop: null } });
  await tx.generationInput.deleteMany({ where: { photoId } });
  await tx.photo.deleteMany({ where: { id: photoId } });
  return true;
}
