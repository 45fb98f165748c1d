import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { useStore } from '#pwa/device/store.ts';
import {
  closeConsentRequest,
  consentRequest,
  readLackingConsents,
  useLackingConsents,
} from '#pwa/features/consent/document-consent.ts';
import { useUser } from '#pwa/features/session/use-session.ts';

const ConsentDialog = lazy(() => import('./consent-dialog.tsx'));

/** Asks over any page for the consents that the account lacks. Mount once. */
export function ConsentHost() {
  const user = useUser();
  const request = useStore(consentRequest);
  const lacking = useLackingConsents(request?.isAbroad ?? false);
  const isUnexplained = request !== null && lacking === null;
  const queryClient = useQueryClient();
  useEffect(() => {
    // The queries draw a page with new answers a moment after they are there.
    if (!isUnexplained || readLackingConsents(queryClient, request.isAbroad)) return;
    // The server has refused a start, but what it answers to this page does not say why.
    closeConsentRequest();
    void explainRefusal();
  }, [isUnexplained, request, queryClient]);
  if (!request || !lacking || !user) return null;
  return (
    <Suspense>
      <ConsentDialog userId={user.id} needs={lacking} proceed={request.proceed} onClose={closeConsentRequest} />
    </Suspense>
  );
}

async function explainRefusal(): Promise<void> {
  const { ERRORS } = await import('#shared/contract/errors.ts');
  toast({ title: 'Генерация не запущена', description: ERRORS.consent_required.message, tone: 'danger' });
}
