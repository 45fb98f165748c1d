import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBE_FOLDER } from '#api/adapters/storage/object-storage.ts';
import type { Archive } from '#api/platform/zip-archive.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { assertHoldsOurFiles } from '#api/services/core/storage-sample.ts';
import { describeAttachment } from './stream-file.ts';

/**
 * Answers GET or HEAD with an archive that is written while it is sent. The storage is tried before, because an archive
 * that has begun can only be broken off. Throws StorageUnavailableError.
 */
export async function sendArchive(
  app: AppContext,
  { request, reply, archive }: { request: FastifyRequest; reply: FastifyReply; archive: Archive },
): Promise<FastifyReply> {
  // Fails while the storage does not answer. Whether it is the right one has been looked at seconds ago, perhaps.
  await app.storage.findSize(`${PROBE_FOLDER}none`);
  await assertHoldsOurFiles(app);
  reply.headers({
    'content-type': 'application/zip',
    ...(archive.bytes === null ? {} : { 'content-length': archive.bytes }),
    'content-disposition': describeAttachment(archive.name),
    'cache-control': 'private, no-store',
    'accept-ranges': 'none',
  });
  return reply.send(request.method === 'HEAD' ? undefined : archive.open());
}
