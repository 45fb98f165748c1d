import * as z from 'zod/mini';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { ASPECT_RATIOS } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { CHANGES, FRAME_SORTS, MOVERS, PHOTOS_TRAVEL } from '#shared/rules/tool-abilities.ts';
import { defineEndpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';

export const toolAbilities = z.object({
  /** Whether the tool for models and backgrounds replaces the person in a photo or only the background. */
  change: z.enum(CHANGES),
  /** Whether a photo session shows people in other poses or other views of the same photo. */
  frames: z.enum(FRAME_SORTS),
  /** Whether people move in a video or only the camera. */
  mover: z.enum(MOVERS),
  /** The tools that an engine of this installation can serve. */
  offered: z.array(z.enum(GENERATION_KINDS)),
  /** Lengths and ratios of a video. Empty where no video is offered. */
  videoSeconds: z.array(z.literal(VIDEO_SECONDS)),
  aspectRatios: z.array(z.enum(ASPECT_RATIOS)),
  documentsVersion: z.string(),
  /** Version of the consent to the transfer of photos abroad, which tools that take them there need. */
  transferVersion: z.string(),
});
export type ToolAbilities = z.infer<typeof toolAbilities>;

export const getToolAbilities = defineEndpoint({
  method: 'GET',
  path: '/api/tools',
  summary: 'What the tools of this installation make',
  access: 'public',
  answer: toolAbilities,
});

/** Refusals of a start that concern a tool and not a person's choice. */
export const TOOL_OBSTACLES = [
  'tool_not_offered',
  'engine_maintenance',
  'engine_failing',
  'engine_budget_reached',
  'engine_free_runs_reached',
  'engine_share_reached',
  'engine_refusals_reached',
] as const satisfies ErrorCode[];

const toolObstacle = z.object({ code: z.enum(TOOL_OBSTACLES), message: z.string() });
export type ToolObstacle = z.infer<typeof toolObstacle>;

/** What can be started right now. Unlike the abilities it may change from minute to minute. */
export const toolOffer = z.object({
  tools: z.array(
    z.object({
      kind: z.enum(GENERATION_KINDS),
      /** False: no engine of this installation can make it. */
      isOffered: z.boolean(),
      /** Why nothing can be started now, in the words of the refusal. Null when it can. */
      obstacle: z.nullable(toolObstacle),
      photosTravel: z.enum(PHOTOS_TRAVEL),
      /** Whether a stand-in answers in the provider's place, so that nothing is really generated. */
      isDemonstration: z.boolean(),
    }),
  ),
  /** The farthest that photos go for any of the tools. */
  photosTravel: z.enum(PHOTOS_TRAVEL),
});
export type ToolOffer = z.infer<typeof toolOffer>;

export const getToolOffer = defineEndpoint({
  method: 'GET',
  path: '/api/tools/offer',
  summary: 'Which tools the caller can start now',
  access: 'public',
  answer: toolOffer,
});
