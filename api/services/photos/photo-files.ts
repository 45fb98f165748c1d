import type { Db, Tx } from '#api/database/database.ts';
import type { RecordedFile } from '#api/services/core/stored-file.ts';
import type { Photo } from '#prisma/generated/client.ts';

export interface PhotoFiles {
  /** The clean JPEG that every tool works from. */
  master: RecordedFile;
  preview: RecordedFile;
  thumbnail: RecordedFile;
}

type NamedFiles = Pick<
  Photo,
  'masterKey' | 'masterBytes' | 'previewKey' | 'previewBytes' | 'thumbnailKey' | 'thumbnailBytes'
>;
type NamedMask = Pick<Photo, 'maskKey' | 'maskBytes'>;

/** The files that were stored with an upload. Null for a picked result, which has none of its own. */
export function findOwnFiles(photo: NamedFiles): PhotoFiles | null {
  const master = nameFile(photo.masterKey, photo.masterBytes);
  const preview = nameFile(photo.previewKey, photo.previewBytes);
  const thumbnail = nameFile(photo.thumbnailKey, photo.thumbnailBytes);
  return master && preview && thumbnail && { master, preview, thumbnail };
}

/** The transparency that the file of a photo had. Null when there is none. */
export function findMask({ maskKey, maskBytes }: NamedMask): RecordedFile | null {
  return nameFile(maskKey, maskBytes);
}

function nameFile(key: string | null, bytes: number | null): RecordedFile | null {
  return key === null || bytes === null ? null : { key, bytes };
}

/** The keys of all files that go with a photo. Empty for a picked result. */
export function listPhotoKeys({
  masterKey,
  previewKey,
  thumbnailKey,
  maskKey,
}: Pick<Photo, 'masterKey' | 'previewKey' | 'thumbnailKey' | 'maskKey'>): string[] {
  return [masterKey, previewKey, thumbnailKey, maskKey].filter((key) => key !== null);
}

/** The stored files of a photo, its mask included, with key and size in bytes. */
export function listPhotoFiles(photo: NamedFiles & NamedMask): RecordedFile[] {
  const mask = findMask(photo);
  return [...Object.values(findOwnFiles(photo) ?? {}), ...(mask ? [mask] : [])];
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
  const result = await db.result.findUniqueOrThrow({ where: { id: photo.resultId } });
  return {
    master: { key: result.originalKey, bytes: result.bytes },
    preview: { key: result.posterKey, bytes: result.posterBytes },
    thumbnail: { key: result.thumbnailKey, bytes: result.thumbnailBytes },
  };
}
