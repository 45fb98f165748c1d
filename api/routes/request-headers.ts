import type { FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { AGREED_PRICE_HEADER, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';

const KEY_MAX_LENGTH = 200;
const UNITS = { stars: { name: 'звёзд', shape: /^\d{1,6}$/ }, kopecks: { name: 'копеек', shape: /^\d{1,10}$/ } };

/** Null when the client sends none. Throws invalid_request for a key that cannot be one. */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.trim() === '' || key.length > KEY_MAX_LENGTH) {
    throw new AppError('invalid_request', { message: 'Заголовок Idempotency-Key пуст или слишком длинный' });
  }
  return key;
}

/**
 * The price that the client says the person agreed to, in stars or kopecks. Null when it names none. Throws
 * invalid_request.
 */
export function readAgreedPrice(request: FastifyRequest, unit: keyof typeof UNITS): number | null {
  const { name, shape } = UNITS[unit];
  const price = request.headers[AGREED_PRICE_HEADER];
  if (price === undefined) return null;
  if (typeof price !== 'string' || !shape.test(price)) {
    throw new AppError('invalid_request', { message: `Заголовок X-Agreed-Price — число ${name}` });
  }
  return Number(price);
}

/** What a start of a tool says of itself beside its choice. */
export function readStart(request: FastifyRequest) {
  return { agreedStars: readAgreedPrice(request, 'stars'), key: readIdempotencyKey(request) };
}
