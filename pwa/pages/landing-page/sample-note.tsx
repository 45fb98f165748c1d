import { nb } from '#pwa/lib/format.ts';

/** Samples say what they are; `more`: a sentence on what this one does not show. */
export function SampleNote({ more = '' }: { more?: string }) {
  return (
    <p className="text-sm text-muted mt-4">
      {nb(`Пример сделан самим «Подиумом» из снимка товара, нарисованного на компьютере. ${more}`.trim())}
    </p>
  );
}
