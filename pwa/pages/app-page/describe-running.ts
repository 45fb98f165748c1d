import { nameRemoteStage } from '#pwa/features/generations/remote-stages.tsx';
import { describeWait as describeChangeWait, describeStage } from '#pwa/features/model-changes/describe-generation.ts';
import { describeWait as describeSessionWait } from '#pwa/features/photosessions/describe-photosession.ts';
import { describeWait as describeTryOnWait } from '#pwa/features/try-on/describe-try-on.ts';
import { describeWait as describeVideoWait, nameStage } from '#pwa/features/videos/generation-estimate.ts';
import { nb } from '#pwa/lib/format.ts';
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
  const { page: path } = TOOLS[kind];
  const { running: title } = RESULT_WORDS[made];
  switch (kind) {
    case 'video':
      return {
        ...{ title, path },
        stage: nameStage(status, progress).toLowerCase(),
        wait: describeVideoWait(progress, elapsedSeconds),
      };
    case 'model_change':
      return {
        ...{ title, path },
        stage: describeStage(status, progress).toLowerCase(),
        wait: describeChangeWait(progress, elapsedSeconds),
      };
    case 'photosession':
      return {
        ...{ title, path },
        stage: progress.isRemote
          ? nameRemoteStage({ status, share: progress.share }).toLowerCase()
          : nb(`готовим ${countFrames(frameSort)}`),
        wait: describeSessionWait(progress, elapsedSeconds),
      };
    case 'try_on':
      return {
        ...{ title, path },
        stage: describeStage(status, progress).toLowerCase(),
        wait: describeTryOnWait(progress, elapsedSeconds),
      };
  }
}
