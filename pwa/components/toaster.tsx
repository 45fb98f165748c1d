import { CircleCheck, Info, OctagonAlert, X } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useStore } from '#pwa/device/store.ts';
import { dismissToast, type ShownToast, shownToast } from './toast.ts';

const DURATION_MS = 5000;
const SWIPE_THRESHOLD_PX = 50;
const HOTKEY = 'F8';
const TONES = {
  plain: { Icon: Info, color: 'text-ink' },
  success: { Icon: CircleCheck, color: 'text-success' },
  danger: { Icon: OctagonAlert, color: 'text-danger' },
};

/** Shows the toasts, one at a time. F8 focuses the toast, and screen readers announce it. Mount once. */
export function Toaster() {
  const shown = useStore(shownToast);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (event.key === HOTKEY) region.current?.focus();
    };
    addEventListener('keydown', focusRegion);
    return () => removeEventListener('keydown', focusRegion);
  }, []);
  return (
    <section ref={region} className="toasts" aria-label={`Уведомления (${HOTKEY})`} tabIndex={-1} data-toasts>
      <div role="status" aria-live="polite" className="contents">
        {shown && shown.tone !== 'danger' && <Toast key={shown.id} toast={shown} />}
      </div>
      <div role="alert" aria-live="assertive" className="contents">
        {shown?.tone === 'danger' && <Toast key={shown.id} toast={shown} />}
      </div>
    </section>
  );
}

function Toast({ toast }: { toast: ShownToast }) {
  const [isHeld, setIsHeld] = useState(false);
  const [shiftPx, setShiftPx] = useState(0);
  const startX = useRef<number | null>(null);
  const remainingMs = useRef(DURATION_MS);
  const { Icon, color } = TONES[toast.tone ?? 'plain'];

  useEffect(() => {
    if (isHeld) return;
    const startedAt = Date.now();
    const timer = setTimeout(() => dismissToast(toast.id), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current -= Date.now() - startedAt;
    };
  }, [isHeld, toast.id]);

  const endSwipe = (event: PointerEvent) => {
    if (startX.current !== null && event.clientX - startX.current > SWIPE_THRESHOLD_PX) dismissToast(toast.id);
    startX.current = null;
    setShiftPx(0);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: swiping and pausing only add to the close button.
    <div
      className={`toast ${toast.tone === 'danger' ? 'bad' : ''}`}
      style={{ transform: `translateX(${shiftPx}px)` }}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      onPointerDown={(event) => {
        startX.current = event.clientX;
        // The swipe may end beside the toast. Its buttons need their own presses.
        if (!(event.target as Element).closest('button')) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (startX.current !== null) setShiftPx(Math.max(0, event.clientX - startX.current));
      }}
      onPointerUp={endSwipe}
      onPointerCancel={endSwipe}
      onKeyDown={(event) => {
        if (event.key === 'Escape') dismissToast(toast.id);
      }}
    >
      <Icon className={`ic mt-0.5 ${color}`} />
      <div className="min-w-0">
        <div className="font-semibold">{toast.title}</div>
        {toast.description && <p className="text-sm text-muted">{toast.description}</p>}
        {toast.action && (
          <button
            type="button"
            className="btn sm quiet mt-1 -ml-3"
            onClick={() => {
              toast.action?.onSelect();
              dismissToast(toast.id);
            }}
          >
            {toast.action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        className="ibtn sm -mt-1.5"
        aria-label="Закрыть уведомление"
        onClick={() => dismissToast(toast.id)}
      >
        <X className="ic ic-s" />
      </button>
    </div>
  );
}

/** For dialogs: a press inside a toast does not count as a press outside the dialog. */
export function keepOpenForToasts(event: CustomEvent<{ originalEvent: Event }>): void {
  const { target } = event.detail.originalEvent;
  if (!(target instanceof Element)) return;
  // The press may already have closed the toast. Nothing else outside a dialog disappears when pressed.
  if (!target.isConnected || target.closest('[data-toasts]')) event.preventDefault();
}
