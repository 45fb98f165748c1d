import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Archive } from '#api/services/ground/zip-archive.ts';
import { describeAttachment } from './stream-file.ts';

/** Answers GET or HEAD with an archive that is written while it is sent. */
export function sendArchive(request: FastifyRequest, reply: FastifyReply, archive: Archive): FastifyReply {
  reply.headers({
    'content-type': 'application/zip',
    ...(archive.bytes === null ? {} : { 'content-length': archive.bytes }),
    'content-disposition': describeAttachment(archive.name),
    'cache-control': 'private, no-store',
    'accept-ranges': 'none',
  });
  return reply.send(request.method === 'HEAD' ? undefined : archive.open());
}
