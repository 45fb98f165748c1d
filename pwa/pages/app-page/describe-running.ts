import { describeWait as describeChangeWait, describeStage } from '#pwa/features/model-changes/describe-generation.ts';
import { describeWait as describeSessionWait } from '#pwa/features/photosessions/describe-photosession.ts';
import {
  describeWait as describeVideoWait,
  STAGE_TITLES,
  type VideoEngine,
} from '#pwa/features/videos/generation-estimate.ts';
import { nb } from '#pwa/lib/format.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countFrames, type FrameSort } from '#shared/rules/what-is-made.ts';

interface RunningGeneration {
  title: string;
  /** The page that follows it. */
  path: string;
  /** What is being done now. */
  stage: string;
  /** How long it usually takes, or how much longer this one can. */
  wait: string | null;
}

/** What is said of a running generation outside its own page. */
export function describeRunning(
  { kind, made, status, progress }: Pick<ActiveGeneration, 'kind' | 'made' | 'status' | 'progress'>,
  { engine, frameSort }: { engine: VideoEngine; frameSort: FrameSort },
  elapsedSeconds: number,
): RunningGeneration {
  const { share } = progress;
  switch (kind) {
    case 'video':
      return {
        title: 'Видео создаётся',
        path: PATHS.createVideo,
        stage: STAGE_TITLES[status].toLowerCase(),
        wait: describeVideoWait(engine, progress.expectedSeconds, elapsedSeconds),
      };
    case 'model_change':
      return {
        title: made === 'model_change' ? 'Модель меняется' : 'Фон меняется',
        path: PATHS.changeModel,
        stage: describeStage(share).toLowerCase(),
        wait: describeChangeWait(progress, elapsedSeconds),
      };
    case 'photosession':
      return {
        title: 'Фотосессия создаётся',
        path: PATHS.photoshoot,
        stage: nb(`готовим ${countFrames(frameSort)}`),
        wait: describeSessionWait(progress, elapsedSeconds),
      };
  }
}
