import { Fragment } from 'react';

/** Two lines of a result's title; it is one long word, which may be broken after each of its parts. */
export function ResultTitle({ title }: { title: string }) {
  return (
    <span className="line-clamp-2 [overflow-wrap:anywhere]" title={title}>
      {title.split(/(?<=_)/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
