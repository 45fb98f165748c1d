import { nb } from '#pwa/format.ts';

/** A very large heading with a short text beside it. */
export function SectionHead({ title, text }: { title: string; text: string }) {
  return (
    <div className="md:grid grid-cols-12 gap-8 items-end mb-8 md:mb-12">
      <h2 className="display text-d2 col-span-7">{nb(title)}</h2>
      <p className="col-start-9 col-span-4 text-lg text-muted max-md:mt-4">{nb(text)}</p>
    </div>
  );
}
