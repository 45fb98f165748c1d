import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as z from 'zod/mini';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { WIZARD_STEPS, type WizardStep, type WizardWay } from './wizard.ts';

/** `below`: the steps of this wizard's entries right below, each earlier than the next. */
const stepEntry = z.object({
  wizard: z.object({ step: z.enum(WIZARD_STEPS), below: z.array(z.enum(WIZARD_STEPS)) }),
});
type StepEntry = z.infer<typeof stepEntry>['wizard'];

/**
 * Gives each step its own history entry, so that «Back» leads to the previous step. The wizard still owns the step,
 * because the device's record decides where a visit begins. `openStep` is called when the person moves through the
 * history. `isShownByItself`: a generation has brought the last step, and not the person.
 */
export function useStepHistory(
  way: WizardWay,
  step: WizardStep,
  openStep: (step: WizardStep) => void,
  isReady: boolean,
  isShownByItself: boolean,
): void {
  const location = useLocation();
  const navigate = useNavigate();
  const seenKey = useRef<string | null>(null);
  /** The location key from which our own navigation has started and not arrived yet. */
  const leftKey = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one of these two has moved, the other follows it.
  useEffect(() => {
    if (!isReady) {
      // «Back» may be pressed before the wizard is ready.
      seenKey.current ??= location.key;
      return;
    }
    if (leftKey.current === location.key) return;
    const entry = readEntry(location.state, way);
    const hasPersonMoved = leftKey.current === null && seenKey.current !== null && seenKey.current !== location.key;
    seenKey.current = location.key;
    leftKey.current = null;
    if (entry?.step === step) return;
    if (entry && hasPersonMoved) return openStep(entry.step);
    leftKey.current = location.key;
    const write = (wizard: StepEntry, isNew: boolean) =>
      void navigate(location, {
        state: { ...(location.state as object | null), ...KEEP_SCROLL, wizard },
        replace: !isNew,
      });
    if (!entry) return write({ step, below: [] }, false);
    const distance = way.indexOf(step) - way.indexOf(entry.step);
    if (distance > 1 && isShownByItself) return write({ step, below: entry.below }, false);
    // «Back» leads to the step where the person was, also past complete ones.
    if (distance > 0) return write({ step, below: [...entry.below, entry.step] }, true);
    const earlier = entry.below.filter((one) => way.indexOf(one) < way.indexOf(step));
    if (earlier.length === entry.below.length) return write({ step, below: earlier }, false);
    // The entry of that step, or of one after it, already exists. Missing parts are added on arrival.
    void navigate(earlier.length - entry.below.length);
  }, [location.key, step, isReady]);
}

/**
 * The wizard entry of a history state. Null also for a step that this wizard no longer has: the entry then gets the
 * shown step.
 */
function readEntry(state: unknown, way: WizardWay): StepEntry | null {
  const entry = stepEntry.safeParse(state).data?.wizard;
  return entry && way.includes(entry.step) ? entry : null;
}
