import { useSearchParams } from 'react-router-dom';
import { BATCH_PARAMETER } from '#shared/rules/result-links.ts';
import { BatchList } from './batches-page/batch-list.tsx';
import { BatchView } from './batches-page/batch-view.tsx';

/** The batches of the account, or the one that the address names. */
export default function BatchesPage() {
  const id = useSearchParams()[0].get(BATCH_PARAMETER);
  return id === null ? <BatchList /> : <BatchView key={id} id={id} />;
}
