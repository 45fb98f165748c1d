import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { PICTURE_PARAMETER } from '#shared/rules/result-links.ts';

/** The picture that is looked at: first the one that the page's address names. The address then loses the name. */
export function useLinkedPicture() {
  const [parameters, setParameters] = useSearchParams();
  const linkedId = parameters.get(PICTURE_PARAMETER);
  const [viewedId, setViewedId] = useState<string | null>(null);
  useEffect(() => {
    if (linkedId === null) return;
    setViewedId(linkedId);
    setParameters(
      (current) => {
        current.delete(PICTURE_PARAMETER);
        return current;
      },
      { replace: true },
    );
  }, [linkedId, setParameters]);
  // Opened once the address is settled: an open picture has a place of its own in the history, for «Back».
  return [linkedId === null ? viewedId : null, setViewedId] as const;
}
