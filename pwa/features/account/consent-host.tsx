import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { useStore } from '#pwa/device/store.ts';
import {
  type ConsentNeeds,
  type ConsentRequest,
  closeConsentRequest,
  consentRequest,
  noteConsentNeeds,
} from '#pwa/features/consent/document-consent.ts';
import { useUser } from '#pwa/features/session/use-session.ts';
import { toolsQuery } from '#pwa/features/tools/tools.ts';
import type { User } from '#shared/contract/account.ts';
import { findConsentNeeds } from './consent-need.ts';

const ConsentDialog = lazy(() => import('./consent-dialog.tsx'));

/** Knows which consents this account lacks, and asks for them over any page. Mount once. */
export function ConsentHost() {
  const user = useUser();
  const tools = useQuery(toolsQuery).data ?? null;
  const needs = useMemo(() => findConsentNeeds(user ?? null, tools), [user, tools]);
  const request = useStore(consentRequest);
  useEffect(() => {
    noteConsentNeeds(needs);
    return () => noteConsentNeeds(null);
  }, [needs]);

  const asked = request && needs && { ...needs, transfer: request.isAbroad ? needs.transfer : null };
  const isAsked = isLacking(request, needs);
  const isUnexplained = request !== null && !isAsked;
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isUnexplained) return;
    // The queries tell a page of new answers a moment after they are there.
    const newest = findConsentNeeds(
      queryClient.getQueryData<User>(QUERY_KEYS.user) ?? null,
      queryClient.getQueryData(toolsQuery.queryKey) ?? null,
    );
    if (isLacking(request, newest)) return;
    // The server has refused a start, but what it answers to this page does not say why.
    closeConsentRequest();
    void explainRefusal();
  }, [isUnexplained, request, queryClient]);
  if (!request || !asked || !isAsked || !user) return null;
  return (
    <Suspense>
      <ConsentDialog userId={user.id} needs={asked} proceed={request.proceed} onClose={closeConsentRequest} />
    </Suspense>
  );
}

function isLacking(request: ConsentRequest | null, needs: ConsentNeeds | null): boolean {
  return (
    needs !== null && request !== null && (needs.documents !== null || (request.isAbroad && needs.transfer !== null))
  );
}

async function explainRefusal(): Promise<void> {
  const { ERRORS } = await import('#shared/contract/errors.ts');
  toast({ title: 'Генерация не запущена', description: ERRORS.consent_required.message, tone: 'danger' });
}
