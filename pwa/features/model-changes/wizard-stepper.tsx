import { Check } from 'lucide-react';
import {
  canOpenStep,
  isStepComplete,
  STEP_NAMES,
  type WizardDraft,
  type WizardStep,
  type WizardWay,
} from './wizard.ts';

export interface WizardStepperProps {
  way: WizardWay;
  step: WizardStep;
  draft: WizardDraft;
  onOpen: (step: WizardStep) => void;
}

/**
 * A segment for each step: finished ones have a tick, the current one a stitch, later ones a line. Steps that cannot be
 * opened are disabled.
 */
export function WizardStepper({ way, step, draft, onOpen }: WizardStepperProps) {
  const current = way.indexOf(step);
  return (
    <ol className="grid grid-flow-col auto-cols-fr mt-5 mb-6 md:mb-8 max-w-[860px]" aria-label="Шаги">
      {way.map((name, index) => {
        const isDone = index < current && isStepComplete(name, draft);
        const canOpen = canOpenStep(way, name, step, draft);
        return (
          <li key={name}>
            <button
              type="button"
              className="w-full text-left disabled:text-subtle disabled:cursor-not-allowed"
              aria-current={index === current ? 'step' : undefined}
              disabled={!canOpen}
              onClick={() => onOpen(name)}
            >
              <span className={`block mb-2 ${segmentClass(index - current)}`} />
              <span
                className={`flex items-center gap-1 sm:gap-1.5 text-xs sm:text-sm min-h-9 ${index === current ? 'font-semibold' : ''}`}
              >
                {isDone ? (
                  <Check className="ic ic-s max-[359px]:!size-3" aria-label="Готово:" />
                ) : (
                  <span className="num max-[359px]:hidden">{index + 1}</span>
                )}
                <span className="truncate">{STEP_NAMES[name]}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function segmentClass(distance: number): string {
  if (distance === 0) return 'stitch still';
  return `h-[3px] ${distance < 0 ? 'bg-ink' : 'bg-line'}`;
}
