import { Fragment } from 'react';

/** A result's title in at most two lines. It is one long word that may break after each underscore. */
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
