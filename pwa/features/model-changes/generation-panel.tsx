import type { StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { WaitingPrice } from '#pwa/features/generations/waiting-price.tsx';
import { GenerationResult } from './generation-result.tsx';
import { GenerationStage } from './generation-stage.tsx';
import type { FollowedChange } from './model-change-tool.ts';
import type { Selection } from './selection.ts';
import { SelectionPictures } from './selection-panel.tsx';
import type { ShownChange } from './shown-change.ts';
import type { ModelChangeTool } from './use-model-change-tool.ts';

export interface GenerationPanelProps {
  change: ModelChangeTool;
  followed: FollowedChange;
  view: ShownChange;
  /** The selection of the followed request, which may differ from the wizard's. */
  selection: Selection;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  readiness: StartReadiness;
  /** Null where videos are not offered. */
  onMakeVideo: ((imageId: string) => void) | null;
}

/** The last step after a start: its progress, its failure or its result. */
export function GenerationPanel(props: GenerationPanelProps) {
  const { change, followed, view, selection, balance, readiness, onMakeVideo } = props;
  const { control } = change;
  if (view.kind === 'completed') {
    return (
      <GenerationResult
        result={view.result}
        generation={followed.view}
        selection={selection}
        balance={balance}
        isOnline={control.isOnline}
        onCreateMore={change.reset}
        onMakeVideo={onMakeVideo}
      />
    );
  }
  return (
    <div className="lg:grid grid-cols-[minmax(0,430px)_280px] gap-14 items-start">
      <GenerationStage
        followed={followed}
        view={view}
        control={control}
        onRestart={change.start}
        obstacleReason={readiness.state === 'obstacle' ? readiness.reason : null}
        onAnotherPhoto={() => {
          control.release();
          change.openStep('photo');
        }}
      />
      <div className="max-lg:mt-7 panel p-4">
        <SelectionPictures selection={selection} hasModel={followed.subject.modelId !== null} />
        {view.kind === 'running' && <WaitingPrice view={followed.view} className="mt-4" />}
      </div>
    </div>
  );
}
