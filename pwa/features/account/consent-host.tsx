import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { closeConsentRequest, noteConsentNeeds, useConsentRequest } from '#pwa/lib/document-consent.ts';
import { toolsQuery } from '#pwa/lib/tools.ts';
import { findConsentNeeds } from './consent-need.ts';
import { useUser } from './use-session.ts';

const ConsentDialog = lazy(() => import('./consent-dialog.tsx'));

/** Knows which consents this account lacks, and asks for them over any page. Mount once. */
export function ConsentHost() {
  const user = useUser();
  const tools = useQuery(toolsQuery).data ?? null;
  const needs = useMemo(() => findConsentNeeds(user ?? null, tools), [user, tools]);
  const request = useConsentRequest();
  useEffect(() => {
    noteConsentNeeds(needs);
    return () => noteConsentNeeds(null);
  }, [needs]);

  const asked = request && needs && { ...needs, transfer: request.isAbroad ? needs.transfer : null };
  const isLacking = asked !== null && (asked.documents !== null || asked.transfer !== null);
  const isUnexplained = request !== null && !isLacking;
  useEffect(() => {
    if (!isUnexplained) return;
    // The server has refused a start, but what it answers to this page does not say why.
    closeConsentRequest();
    void explainRefusal();
  }, [isUnexplained]);
  if (!request || !asked || !isLacking || !user) return null;
  return (
    <Suspense>
      <ConsentDialog userId={user.id} needs={asked} proceed={request.proceed} onClose={closeConsentRequest} />
    </Suspense>
  );
}

async function explainRefusal(): Promise<void> {
  const { ERRORS } = await import('#shared/contract/errors.ts');
  toast({ title: 'Генерация не запущена', description: ERRORS.consent_required.message, tone: 'danger' });
}
