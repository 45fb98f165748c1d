import { z } from 'zod';
import { CHANGES, FRAME_SORTS, MOVERS } from '#shared/rules/tool-abilities.ts';
import { defineEndpoint } from './endpoint.ts';

/** What the tools of this installation make. It depends on the engine. */
export const toolAbilities = z.object({
  /** Whether the tool for models and backgrounds replaces the person in a photo or only the background. */
  change: z.enum(CHANGES),
  /** Whether a photo session shows people in other poses or other views of the same photo. */
  frames: z.enum(FRAME_SORTS),
  /** Whether people move in a video or only the camera. */
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
