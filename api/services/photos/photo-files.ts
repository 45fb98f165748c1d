import type { Db, Tx } from '#api/db.ts';
import type { Photo } from '#prisma/generated/client.ts';

/** Storage keys of a photo in its three sizes. */
export interface PhotoFiles {
  /** The clean JPEG that every tool works from. */
  masterKey: string;
  previewKey: string;
  thumbnailKey: string;
}

type NamedFiles = Pick<Photo, 'masterKey' | 'previewKey' | 'thumbnailKey'>;

/** The files that were stored with an upload. Null for a picked result, which has none of its own. */
export function findOwnFiles({ masterKey, previewKey, thumbnailKey }: NamedFiles): PhotoFiles | null {
  return masterKey !== null && previewKey !== null && thumbnailKey !== null
    ? { masterKey, previewKey, thumbnailKey }
    : null;
}

/** The keys of all files that go with a photo. Empty for a picked result. */
export function listPhotoKeys({ maskKey, ...files }: NamedFiles & Pick<Photo, 'maskKey'>): string[] {
  return [...Object.values(findOwnFiles(files) ?? {}), ...(maskKey === null ? [] : [maskKey])];
}

/**
 * The files that our own work reads: engines, comparisons, administrators. Those of a picked result have no logo, so
 * never pass them on to the owner. What an owner may see is chosen by `withShownPhoto`.
 */
export async function findSourceFiles(
  db: Db | Tx,
  photo: NamedFiles & Pick<Photo, 'id' | 'resultId'>,
): Promise<PhotoFiles> {
  const own = findOwnFiles(photo);
  if (own) return own;
  if (photo.resultId === null) throw new Error(`the photo ${photo.id} has neither files nor a result`);
  const { originalKey, posterKey, thumbnailKey } = await db.result.findUniqueOrThrow({
    where: { id: photo.resultId },
    select: { originalKey: true, posterKey: true, thumbnailKey: true },
  });
  return { masterKey: originalKey, previewKey: posterKey, thumbnailKey };
}
