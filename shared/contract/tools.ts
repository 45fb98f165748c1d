import { z } from 'zod';
import { CHANGES, FRAME_SORTS, MOVERS } from '#shared/rules/tool-abilities.ts';
import { defineEndpoint } from './endpoint.ts';

/** What the tools of this installation make, which depends on their engine. */
export const toolAbilities = z.object({
  /** Whether the tool for models and backgrounds puts another person into a photo, or changes the background alone. */
  change: z.enum(CHANGES),
  /** Whether a photo session shows people in other poses, or other views of the photo as it is. */
  frames: z.enum(FRAME_SORTS),
  /** Whether people move in a video, or the camera alone. */
  mover: z.enum(MOVERS),
});
export type ToolAbilities = z.infer<typeof toolAbilities>;

export const getToolAbilities = defineEndpoint({
  method: 'GET',
  path: '/api/tools',
  summary: 'What the tools of this installation make',
  access: 'public',
  answer: toolAbilities,
});
