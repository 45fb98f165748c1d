import type { FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';

const MAX_LENGTH = 200;

/** Null when the client sends none. Throws invalid_request for a key that cannot be one. */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.trim() === '' || key.length > MAX_LENGTH) {
    throw new AppError('invalid_request', { message: 'Заголовок Idempotency-Key пуст или слишком длинный' });
  }
  return key;
}
