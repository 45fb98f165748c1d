import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#pwa/components/button.tsx';
import {
  findGap,
  isStepComplete,
  nextStep,
  previousStep,
  STEP_NAMES,
  type WizardDraft,
  type WizardStep,
  type WizardWay,
} from './wizard.ts';

export interface WizardActionsProps {
  way: WizardWay;
  step: WizardStep;
  draft: WizardDraft;
  onOpen: (step: WizardStep) => void;
  /** Replaces «Далее» on the last step. */
  action?: ReactNode;
  /** bar: at the bottom of a phone. panel: in the summary beside the steps. */
  place: 'bar' | 'panel';
}

export function WizardActions({ way, step, draft, onOpen, action, place }: WizardActionsProps) {
  const next = nextStep(way, step, draft);
  const previous = previousStep(way, step);
  const isBar = place === 'bar';
  const back = previous && (
    <Button variant={isBar ? 'second' : 'quiet'} wide={!isBar} onClick={() => onOpen(previous)}>
      Назад
    </Button>
  );
  const forward =
    action ??
    (next && (
      <Button wide className="min-w-0" disabledReason={findGap(step, draft)} onClick={() => onOpen(next)}>
        {isBar ? `Далее: ${STEP_NAMES[next].toLowerCase()}` : 'Далее'}
        <ArrowRight className="ic" />
      </Button>
    ));
  // Without a photo the bar would only cover the upload.
  const isIdle = !previous && !isStepComplete(step, draft);
  return isBar ? (
    <>
      <div className={`wizard-bar lg:hidden ${isIdle ? 'is-idle' : ''}`}>
        {back}
        <div className="flex-1 min-w-0">{forward}</div>
      </div>
      {!isIdle && <div className="lg:hidden h-20" />}
    </>
  ) : (
    <div className="grid gap-1 mt-4">
      {forward}
      {back}
    </div>
  );
}
