import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { PATHS } from '#shared/rules/app-paths.ts';

/** The way back above the heading of a page. */
export function HomeLink() {
  return (
    <Link className="back" to={PATHS.app}>
      <ArrowLeft className="ic ic-s" />
      На главную
    </Link>
  );
}
