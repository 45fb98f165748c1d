import { nameRemoteStage } from '#pwa/features/generations/remote-stages.tsx';
import { describeWait } from '#pwa/features/generations/waiting-time.ts';
import { describeStage } from '#pwa/features/model-changes/describe-generation.ts';
import { nameStage } from '#pwa/features/videos/generation-estimate.ts';
import { nb } from '#pwa/format.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import { countFrames, type FrameSort } from '#shared/rules/tool-abilities.ts';
import { RESULT_WORDS, TOOLS } from '#shared/rules/tools.ts';

interface RunningGeneration {
  title: string;
  /** The page that shows its progress. */
  path: string;
  /** The current stage. */
  stage: string;
  /** How long it usually takes, or at most how much longer this one takes. */
  wait: string | null;
}

/** Describes a running generation for other pages than its own. */
export function describeRunning(
  { kind, made, status, progress }: Pick<ActiveGeneration, 'kind' | 'made' | 'status' | 'progress'>,
  frameSort: FrameSort,
  elapsedSeconds: number,
): RunningGeneration {
  return {
    title: RESULT_WORDS[made].running,
    path: TOOLS[kind].page,
    stage: nameRunningStage({ kind, status, progress }, frameSort),
    wait: describeWait(kind, progress, elapsedSeconds),
  };
}

function nameRunningStage(
  { kind, status, progress }: Pick<ActiveGeneration, 'kind' | 'status' | 'progress'>,
  frameSort: FrameSort,
): string {
  switch (kind) {
    case 'video':
      return nameStage(status, progress).toLowerCase();
    case 'model_change':
    case 'try_on':
      return describeStage(status, progress).toLowerCase();
    case 'photosession':
      return progress.isRemote
        ? nameRemoteStage({ status, share: progress.share }).toLowerCase()
        : nb(`готовим ${countFrames(frameSort)}`);
  }
}
