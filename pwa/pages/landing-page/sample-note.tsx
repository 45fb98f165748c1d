import { nb } from '#pwa/lib/format.ts';

/** Samples say what they are. */
export function SampleNote() {
  return (
    <p className="text-sm text-muted mt-4">
      {nb('Пример сделан самим «Подиумом» из снимка товара, нарисованного на компьютере.')}
    </p>
  );
}
