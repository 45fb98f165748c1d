import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';

type Side = 'right' | 'bottom';

export interface TooltipProps {
  text: string;
  side?: Side;
  /** One focusable element without pointer and focus handlers of its own. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

const DELAY_MS = 400;
const DISTANCE_PX = 6;

/** A short text on hover and on keyboard focus. */
export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  const id = useId();
  const delay = useRef(0);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const hide = () => {
    clearTimeout(delay.current);
    setAnchor(null);
  };
  useEffect(() => {
    if (!anchor) return;
    const hideOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && setAnchor(null);
    const hideOnScroll = () => setAnchor(null);
    addEventListener('keydown', hideOnEscape);
    addEventListener('scroll', hideOnScroll, { capture: true, passive: true });
    return () => {
      removeEventListener('keydown', hideOnEscape);
      removeEventListener('scroll', hideOnScroll, { capture: true });
    };
  }, [anchor]);
  useEffect(() => () => clearTimeout(delay.current), []);
  return (
    <>
      {cloneElement(children, {
        'aria-describedby': anchor ? id : undefined,
        onPointerEnter({ currentTarget, pointerType }: PointerEvent<HTMLElement>) {
          // A finger does not hover.
          if (pointerType !== 'touch') delay.current = window.setTimeout(() => setAnchor(currentTarget), DELAY_MS);
        },
        onPointerLeave: hide,
        onPointerDown: hide,
        onFocus({ currentTarget }: FocusEvent<HTMLElement>) {
          if (currentTarget.matches(':focus-visible')) setAnchor(currentTarget);
        },
        onBlur: hide,
      })}
      {anchor &&
        createPortal(
          <div ref={(tip) => (tip ? place(tip, anchor, side) : undefined)} id={id} role="tooltip" className="tip">
            {text}
          </div>,
          document.body,
        )}
    </>
  );
}

/** Puts the tip beside its element, and within the window. */
function place(tip: HTMLElement, anchor: HTMLElement, side: Side): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = tip;
  const x = side === 'right' ? right + DISTANCE_PX : (left + right - offsetWidth) / 2;
  const y = side === 'right' ? (top + bottom - offsetHeight) / 2 : bottom + DISTANCE_PX;
  tip.style.left = `${Math.max(0, Math.min(x, innerWidth - offsetWidth))}px`;
  tip.style.top = `${Math.max(0, Math.min(y, innerHeight - offsetHeight))}px`;
}
