import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';

export const cancelGeneration = defineEndpoint({
  method: 'POST',
  path: '/api/generations/:id/cancel',
  summary: 'Stops a generation where that is still possible',
  access: 'account',
  params: z.object({ id: z.string().min(1).max(64) }),
  answer: z.object({
    /** `cancelled`: stopped, the stars are back. `runs_on`: the remote engine goes on, the result will be in the gallery. */
    outcome: z.enum(['cancelled', 'runs_on']),
    message: z.string(),
  }),
  errors: ['generation_not_found', 'generation_finished'],
});
