import type { FastifyRequest } from 'fastify';
import { AppError } from '#api/errors.ts';
import { AGREED_PRICE_HEADER } from '#shared/contract/generations.ts';

const STARS = /^\d{1,6}$/;

/** The price, in stars, that the client names as agreed to; null when it names none. Throws invalid_request. */
export function readAgreedPrice(request: FastifyRequest): number | null {
  const price = request.headers[AGREED_PRICE_HEADER];
  if (price === undefined) return null;
  if (typeof price !== 'string' || !STARS.test(price)) {
    throw new AppError('invalid_request', { message: 'Заголовок X-Agreed-Price — число звёзд' });
  }
  return Number(price);
}
