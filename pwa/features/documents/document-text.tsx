import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { nb } from '#pwa/format.ts';

const LINK = /\[([^\]]+)\]\(([^)]+)\)/;

/** A paragraph with links, in Russian typography. */
export function DocumentText({ children }: { children: string }) {
  // A split by a pattern with two groups gives text, label, address, text, label …
  const parts = children.split(LINK);
  return parts.map((part, index) => {
    const key = `${index}-${part}`;
    if (index % 3 === 2) return null;
    if (index % 3 === 0) return <Fragment key={key}>{nb(part)}</Fragment>;
    const address = parts[index + 1] ?? '';
    return address.startsWith('/') ? (
      <Link key={key} className="link" to={address}>
        {nb(part)}
      </Link>
    ) : (
      <a key={key} className="link" href={address}>
        {nb(part)}
      </a>
    );
  });
}
