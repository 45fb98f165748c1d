import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { PATHS } from '#shared/rules/app-paths.ts';

const LABEL = 'На главную';

/** The way back above the heading of a page, or beside it as an icon. */
export function HomeLink({ isIcon = false }: { isIcon?: boolean }) {
  if (isIcon) {
    return (
      <Link className="ibtn" to={PATHS.app} aria-label={LABEL} title={LABEL}>
        <ArrowLeft className="ic" />
      </Link>
    );
  }
  return (
    <Link className="back" to={PATHS.app}>
      <ArrowLeft className="ic ic-s" />
      {LABEL}
    </Link>
  );
}
