import { Fragment } from 'react';

/** A result's title in at most two lines. A name of a file may be one long word, which breaks after its underscores. */
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
