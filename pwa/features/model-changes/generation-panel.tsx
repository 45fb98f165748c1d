import { nb } from '#pwa/lib/format.ts';
import { GenerationResult } from './generation-result.tsx';
import { GenerationStage } from './generation-stage.tsx';
import type { GenerationView } from './model-change-status.ts';
import type { FollowedRequest } from './saved-model-change.ts';
import type { Selection } from './selection.ts';
import { SelectionPictures } from './selection-panel.tsx';
import type { ModelChange } from './use-model-change.ts';

export interface GenerationPanelProps {
  change: ModelChange;
  followed: FollowedRequest;
  view: GenerationView;
  /** Of the followed request, which may differ from the wizard's. */
  selection: Selection;
  isOnline: boolean;
  onMakeVideo: (imageId: string) => void;
}

/** The last step once something was started: its progress, its failure or its result. */
export function GenerationPanel({ change, followed, view, selection, isOnline, onMakeVideo }: GenerationPanelProps) {
  if (view.kind === 'completed') {
    return (
      <GenerationResult
        result={view.result}
        selection={selection}
        isOnline={isOnline}
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
        isOnline={isOnline}
        isCancelling={change.isCancelling}
        isStarting={change.isStarting}
        onCancel={change.cancel}
        onCheckAgain={change.checkAgain}
        onRestart={change.start}
        onReturn={change.returnToSummary}
      />
      <div className="max-lg:mt-7 panel p-4">
        <SelectionPictures selection={selection} hasModel={followed.modelId !== null} />
        {view.kind === 'running' && (
          <p className="text-sm text-muted mt-4">{nb('Если не получится, звезда вернётся на баланс.')}</p>
        )}
      </div>
    </div>
  );
}
