import type { ReactNode } from 'react';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { type Line, LineNote } from '#pwa/features/generations/line.tsx';
import { StartLaterButton, StartLaterHint } from '#pwa/features/generations/start-later-action.tsx';
import type { StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { nb } from '#pwa/format.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { BackgroundStep } from './background-step.tsx';
import { ChoiceReview } from './choice-review.tsx';
import { ModelStep } from './model-step.tsx';
import type { Selection } from './selection.ts';
import { SelectionPanel } from './selection-panel.tsx';
import { StartButton, StartHint } from './start-panel.tsx';
import type { ModelChangeTool } from './use-model-change-tool.ts';
import { findGap, isLastStep, type WizardStep } from './wizard.ts';
import { WizardActions } from './wizard-actions.tsx';

export interface WizardStepsProps {
  change: ModelChangeTool;
  /** What the tool changes. */
  made: Change;
  selection: Selection;
  /** The upload of the first step. It comes as a prop, because it belongs to another feature. */
  photoUpload: ReactNode;
  /** The named settings, offered beside the photo. */
  sets: ReactNode;
  readiness: StartReadiness;
  balance: number | null;
  line: Line;
  /** There is no network, or there was none when the person agreed to the start. */
  isStartedLater: boolean;
  isPremium: boolean | null;
  onOpen: (step: WizardStep) => void;
  onPremiumWanted: () => void;
}

/** The steps before a start, with the summary and the buttons beside them. */
export function WizardSteps(props: WizardStepsProps) {
  const { change, made, selection, readiness, balance, line, isStartedLater, onOpen } = props;
  const { way, step, draft } = change;
  const isLast = isLastStep(way, step);
  const later = { later: change.control.later, price: readiness.price, onAgree: change.startLater };
  const action = !isLast ? null : isStartedLater ? (
    <StartLaterButton {...later} />
  ) : (
    <StartButton
      change={made}
      readiness={readiness}
      gap={findGap(step, draft)}
      isStarting={change.control.isStarting}
      isQueueing={change.control.isQueueing}
      isQueued={change.control.isRunning}
      onStart={change.start}
    />
  );
  const hint = (
    <>
      {isLast &&
        (isStartedLater ? <StartLaterHint {...later} /> : <StartHint readiness={readiness} balance={balance} />)}
      <LineNote line={line} className="mt-2" />
    </>
  );
  return (
    <>
      <div className="lg:grid grid-cols-[minmax(0,1fr)_280px] gap-10">
        <section className="min-w-0" aria-label={HEADINGS[step]}>
          <StepContent {...props} />
          <div className="lg:hidden mt-4 empty:hidden">{hint}</div>
        </section>
        <aside className="max-lg:hidden" aria-label="Ваш выбор">
          <SelectionPanel way={way} selection={step === 'generation' ? null : selection}>
            {hint}
            <WizardActions way={way} step={step} draft={draft} onOpen={onOpen} action={action} place="panel" />
          </SelectionPanel>
        </aside>
      </div>
      <WizardActions way={way} step={step} draft={draft} onOpen={onOpen} action={action} place="bar" />
    </>
  );
}

const HEADINGS: Record<WizardStep, string> = {
  photo: 'Загрузка фото',
  model: 'Выбор модели',
  background: 'Выбор фона',
  generation: 'Генерация',
};

function StepContent({ change, selection, photoUpload, sets, isPremium, onOpen, onPremiumWanted }: WizardStepsProps) {
  const { way, step, offered, draft } = change;
  if (step === 'photo') {
    return (
      <div className="max-w-[560px]">
        {photoUpload}
        {sets}
      </div>
    );
  }
  if (step === 'generation') return <ChoiceReview way={way} selection={selection} onOpen={onOpen} />;
  if (!offered) {
    return change.isCatalogueFailed ? <CatalogueFault onRetry={change.reloadCatalogue} /> : <CatalogueSkeleton />;
  }
  return step === 'model' ? (
    <ModelStep models={offered.models} chosenId={draft.modelId} onChoose={change.chooseModel} />
  ) : (
    <BackgroundStep
      backgrounds={offered.backgrounds}
      chosenId={draft.backgroundId}
      onChoose={change.chooseBackground}
      isPremium={isPremium}
      onPremiumWanted={onPremiumWanted}
    />
  );
}

function CatalogueFault({ onRetry }: { onRetry: () => void }) {
  return (
    <RetryNotice title="Не удалось загрузить каталог" onRetry={onRetry}>
      {nb('Проверьте интернет и попробуйте ещё раз.')}
    </RetryNotice>
  );
}

const SKELETONS = Array.from({ length: 10 }, (_, index) => index);

function CatalogueSkeleton() {
  return (
    <div
      className="grid grid-cols-3 md:grid-cols-5 lg:grid-cols-3 xl:grid-cols-5 gap-2 md:gap-3"
      role="status"
      aria-label="Загружаем каталог"
    >
      {SKELETONS.map((index) => (
        <Skeleton key={index} className="aspect-[4/5]" />
      ))}
    </div>
  );
}
