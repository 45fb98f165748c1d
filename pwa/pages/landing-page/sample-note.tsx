import { nb } from '#pwa/format.ts';

/** Says that a sample is a sample. `more` is a sentence about what this one does not show. */
export function SampleNote({ more = '' }: { more?: string }) {
  return (
    <p className="text-sm text-muted mt-4">
      {nb(`Пример сделан самим «Подиумом» из снимка товара, нарисованного на компьютере. ${more}`.trim())}
    </p>
  );
}
