import type { EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { NewResult } from '#api/services/generations/results/result-files.ts';
import type { ReceivedPhoto } from '#api/services/photos/photos.ts';
import type { Generation, Prisma } from '#prisma/generated/client.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { TryOnSettings } from '#shared/contract/try-on-settings.ts';
import type { VideoSettings } from '#shared/contract/video-settings.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { VideoSeconds } from '#shared/rules/prices.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import type { InputRoleOf } from '#shared/rules/tools.ts';

/**
 * What the server does differently for one kind of generation. Prices, photos, outputs and words are facts of `TOOLS` in
 * shared/rules/tools.ts.
 */
export interface GenerationTool<Kind extends GenerationKind> {
  /** Checks the choice, before anything is stored or charged. What it throws stands at each tool. */
  prepare(app: AppContext, order: ToolOrder<Kind>): PreparedChoice | Promise<PreparedChoice>;
  /** Checks that the present engine still makes what the settings of an earlier generation say, for a free re-roll. */
  prepareAgain(app: AppContext, settings: Prisma.InputJsonObject): PreparedChoice;
  /** How the files of its outputs are stored. */
  store: OutputStore;
  /** Its part of the view that all clients share. */
  view(settings: unknown): Pick<ViewOfKind<Kind>, 'kind' | 'settings'>;
  /** What the tool's page fills its form with while one runs. Empty for pages that remember the choice themselves. */
  viewForm(settings: unknown): ActiveGeneration['settings'];
}

/** What a person orders from a tool. */
export interface ToolOrder<Kind extends GenerationKind> {
  accountId: number;
  /** By role. Null where the sender gave none. */
  photos: Readonly<Record<InputRoleOf<Kind>, PhotoSource | null>>;
  choice: ToolChoices[Kind];
}

/** A photo that is already stored, or one that was just received and is stored only if needed. */
export type PhotoSource = { imageId: string } | { received: ReceivedPhoto };

/** What a person chooses, by kind. */
interface ToolChoices {
  video: VideoSettings;
  model_change: {
    /** A picture address of the catalogue. Null when the sender chose no model. */
    modelImageUrl: string | null;
    /** A picture address of the catalogue. Empty to keep the photo's own background. */
    backgroundImageUrl: string;
    /** What the person was told that the tool makes. Absent when the client does not say. */
    agreedChange?: Change | undefined;
  };
  photosession: Record<string, never>;
  try_on: TryOnSettings;
}

export interface PreparedChoice {
  /** The person's choices. The same choices make the same request. */
  choice: Prisma.InputJsonObject;
  /** Facts that are known at the start but not chosen. Stored with the choices. */
  facts?: Prisma.InputJsonObject;
  /** Length of the video in seconds. Absent for pictures. */
  videoSeconds?: VideoSeconds;
}

export interface OutputStore {
  /** Starts the process that storing needs, while the engine still works or its file is on the way. */
  warmUp(app: AppContext): void;
  /** Stores the files of one output. The caller writes the row. Throws UnusableResultError. */
  keep(app: AppContext, generation: Generation, output: EngineOutput): Promise<NewResult>;
}

export type ViewOfKind<Kind extends GenerationKind> = Extract<GenerationView, { kind: Kind }>;
