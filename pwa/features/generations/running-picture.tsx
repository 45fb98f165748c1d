import { Button } from '#pwa/components/button.tsx';
import { useElapsedSeconds } from '#pwa/device/use-clock.ts';
import { nb } from '#pwa/format.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { CancelButton } from './cancel-button.tsx';
import type { Followed } from './followed-generation.ts';
import { ProblemCard } from './problem-card.tsx';
import { RemoteStages } from './remote-stages.tsx';
import { RunningCaption } from './running-caption.tsx';
import { useClosingHint } from './use-closing-hint.ts';
import type { GenerationControl } from './use-generation-tool.ts';
import { describeWait } from './waiting-time.ts';

export interface RunningPictureProps {
  kind: GenerationKind;
  followed: Followed<unknown>;
  control: Pick<GenerationControl<never, never, GenerationView>, 'isOnline' | 'isCancelling' | 'cancel' | 'checkAgain'>;
  title: string;
  isRemote: boolean;
  /** What is said while the server does not answer. */
  unreachable: { title: string; hint: string };
}

/** The state of a running generation of one picture over its source photo, with the button that cancels it. */
export function RunningPicture({ kind, followed, control, title, isRemote, unreachable }: RunningPictureProps) {
  const { isOnline } = control;
  const { progress, status } = followed;
  const elapsed = useElapsedSeconds(followed.startedAt);
  const closingHint = useClosingHint('галерее', isRemote);
  const share = progress?.share ?? null;
  const percent = share === null ? null : `${Math.round(share * 100)}\u00a0%`;
  const isUnreachable = isOnline && followed.failuresInARow > 0;
  return (
    <RunningCaption
      generationId={followed.generationId}
      title={title}
      elapsedSeconds={elapsed}
      work={percent}
      announcedWork={percent && `готово ${percent}`}
      share={share}
      isStill={!isOnline || isUnreachable}
    >
      {isRemote && <RemoteStages status={status} share={share} className="mb-4" />}
      {isUnreachable ? (
        <ProblemCard title={unreachable.title} text={nb(`${unreachable.hint}. Генерация продолжается на сервере.`)}>
          <Button variant="second" size="sm" onClick={control.checkAgain}>
            Повторить
          </Button>
        </ProblemCard>
      ) : isOnline ? (
        <p>{nb([describeWait(kind, progress, elapsed), closingHint].filter(Boolean).join('. '))}</p>
      ) : (
        <p>Ждём сеть. Генерация продолжается на сервере.</p>
      )}
      <CancelButton
        variant="plate"
        className="mt-4"
        isOnline={isOnline}
        isCancelling={control.isCancelling}
        onCancel={control.cancel}
      />
    </RunningCaption>
  );
}
