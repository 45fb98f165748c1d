import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';

export const getStarBalance = defineEndpoint({
  method: 'GET',
  path: '/api/stars/balance',
  summary: 'Stars that can be spent now: stars held by running generations are already taken off',
  access: 'account',
  answer: z.object({ balance: z.int() }),
});
