import type { FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { AGREED_PRICE_HEADER } from '#shared/contract/generations.ts';

const UNITS = { stars: { name: 'звёзд', shape: /^\d{1,6}$/ }, kopecks: { name: 'копеек', shape: /^\d{1,10}$/ } };

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
