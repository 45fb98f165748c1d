import { type PointerEvent, useRef } from 'react';

const CLOSE_AFTER_PX = 60;

/** The grab handle of a bottom sheet on phones: a tap or a pull downwards closes the sheet. */
export function SheetHandle({ onClose }: { onClose: () => void }) {
  const startY = useRef<number | null>(null);
  const endDrag = (event: PointerEvent) => {
    if (startY.current !== null && event.clientY - startY.current > CLOSE_AFTER_PX) onClose();
    startY.current = null;
  };
  return (
    <button
      type="button"
      aria-label="Закрыть"
      className="md:hidden w-full h-11 grid place-items-start justify-items-center touch-none"
      onClick={onClose}
      onPointerDown={(event) => {
        startY.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={endDrag}
    >
      <span className="grab" />
    </button>
  );
}
