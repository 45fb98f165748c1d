import type { Settings, StorageSettings } from './settings.ts';

/** Together they make S3 the storage. */
const S3_NAMES = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

export function hasS3(values: StorageSettings): values is StorageSettings & Record<(typeof S3_NAMES)[number], string> {
  return S3_NAMES.every((name) => values[name] !== undefined);
}

/**
 * Finds missing settings of S3. Files that are sometimes here and sometimes there would be lost for half of the
 * readers.
 */
export function findStorageProblems(values: StorageSettings): string[] {
  const missing = S3_NAMES.filter((name) => values[name] === undefined);
  if (missing.length === 0 || missing.length === S3_NAMES.length) return [];
  return [`${S3_NAMES.join(', ')}: all or none (not set: ${missing.join(', ')})`];
}

/** The bucket of the files. Null: they are on the disk. */
export function readS3(values: StorageSettings) {
  if (!hasS3(values)) return null;
  return {
    endpoint: values.S3_ENDPOINT,
    /** Null: browsers get the files through this program. */
    publicEndpoint: (values.S3_PUBLIC_ENDPOINT ?? values.S3_ENDPOINT) as string | null,
    bucket: values.S3_BUCKET,
    region: values.S3_REGION,
    accessKeyId: values.S3_ACCESS_KEY_ID,
    secretAccessKey: values.S3_SECRET_ACCESS_KEY,
  };
}

/** Where files are stored, and who hands them out. */
export function readStorage(values: Settings, publicUrl: string) {
  const s3 = readS3(values);
  // A page over https loads nothing over http.
  if (publicUrl.startsWith('https:') && s3?.publicEndpoint?.startsWith('http:')) s3.publicEndpoint = null;
  return { s3, mediaAccel: s3 ? ('off' as const) : values.MEDIA_ACCEL };
}
