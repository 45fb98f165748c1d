import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { GenerationTool } from './generation-tool.ts';
import { modelChangeTool } from './model-change-tool.ts';
import { photosessionTool } from './photosession-tool.ts';
import { tryOnTool } from './try-on-tool.ts';
import { videoTool } from './video-tool.ts';

/** What the server does for each kind of generation. A new kind without a row is a type error. */
export const TOOL_TABLE: { [Kind in GenerationKind]: GenerationTool<Kind> } = {
  video: videoTool,
  model_change: modelChangeTool,
  photosession: photosessionTool,
  try_on: tryOnTool,
};
