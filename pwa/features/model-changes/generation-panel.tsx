import type { ReactNode } from 'react';
import { explainFailure } from '#pwa/features/generations/describe-failure.ts';
import { PictureStage } from '#pwa/features/generations/picture-stage.tsx';
import type { StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { describeStage } from './describe-generation.ts';
import { findResult } from './find-result.ts';
import { GenerationResult } from './generation-result.tsx';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import type { FollowedChange } from './model-change-tool.ts';
import type { Selection } from './selection.ts';
import { SelectionPictures } from './selection-panel.tsx';
import type { ModelChangeTool } from './use-model-change-tool.ts';

export interface GenerationPanelProps {
  change: ModelChangeTool;
  followed: FollowedChange;
  /** The selection of the followed request, which may differ from the wizard's. */
  selection: Selection;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  readiness: StartReadiness;
  /** What can be done while it runs. */
  next: ReactNode;
  onNextPhoto: () => void;
  /** Null where videos are not offered. */
  onMakeVideo: ((imageId: string) => void) | null;
}

/** The last step after a start: its progress, its failure or its result. */
export function GenerationPanel(props: GenerationPanelProps) {
  const { change, followed, selection, balance, readiness, next, onNextPhoto, onMakeVideo } = props;
  const { control } = change;
  const result = findResult(followed);
  if (result) {
    return (
      <GenerationResult
        result={result}
        generation={followed.view}
        selection={selection}
        balance={balance}
        isOnline={control.isOnline}
        onNextPhoto={onNextPhoto}
        onOtherSettings={change.otherSettings}
        onMakeVideo={onMakeVideo}
      />
    );
  }
  return (
    <PictureStage
      kind="model_change"
      followed={followed}
      control={control}
      photo={followed.subject.photo}
      work={describeStage(followed.status, followed.progress)}
      isRemote={followed.progress?.isRemote ?? false}
      problem={
        followed.status === 'failed'
          ? {
              title: MODEL_CHANGE_TEXTS.failed,
              text: explainFailure(followed, MODEL_CHANGE_PRICE, MODEL_CHANGE_TEXTS.failedHint),
            }
          : { title: MODEL_CHANGE_TEXTS.startFailed, text: MODEL_CHANGE_TEXTS.resultMissing }
      }
      readiness={readiness}
      next={next}
      onRestart={change.restart}
      onAnotherPhoto={() => {
        control.release();
        change.openStep('photo');
      }}
    >
      <SelectionPictures selection={selection} hasModel={followed.subject.modelId !== null} />
    </PictureStage>
  );
}
