import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { closeConsentRequest, noteConsentNeed, useConsentRequest } from '#pwa/lib/document-consent.ts';
import { toolsQuery } from '#pwa/lib/tools.ts';
import { findConsentNeed } from './consent-need.ts';
import { useUser } from './use-session.ts';

const ConsentDialog = lazy(() => import('./consent-dialog.tsx'));

/** Knows whether this account has to consent to the documents again, and asks for it over any page. Mount once. */
export function ConsentHost() {
  const user = useUser();
  const version = useQuery(toolsQuery).data?.documentsVersion ?? null;
  const agreed = user?.consentVersion ?? null;
  const need = findConsentNeed(agreed, version);
  const request = useConsentRequest();
  useEffect(() => {
    noteConsentNeed(findConsentNeed(agreed, version));
    return () => noteConsentNeed(null);
  }, [agreed, version]);

  const isUnexplained = request !== null && need === null;
  useEffect(() => {
    if (!isUnexplained) return;
    // The server has refused a start, but what it answers to this page does not say why.
    closeConsentRequest();
    void explainRefusal();
  }, [isUnexplained]);
  if (!request || !need || !user) return null;
  return (
    <Suspense>
      <ConsentDialog userId={user.id} need={need} proceed={request.proceed} onClose={closeConsentRequest} />
    </Suspense>
  );
}

async function explainRefusal(): Promise<void> {
  const { ERRORS } = await import('#shared/contract/errors.ts');
  toast({ title: 'Генерация не запущена', description: ERRORS.consent_required.message, tone: 'danger' });
}
