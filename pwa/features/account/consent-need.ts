import type { ConsentNeed, ConsentNeeds } from '#pwa/features/consent/document-consent.ts';
import type { User } from '#shared/contract/account.ts';
import type { ToolAbilities } from '#shared/contract/tools.ts';
import { CONSENT_VERSIONS, type ConsentKind } from '#shared/rules/legal-documents.ts';

/** Which consents the account lacks. Null while that is unknown. */
export function findConsentNeeds(
  user: Pick<User, 'consentVersion' | 'transferConsentVersion'> | null,
  inForce: Pick<ToolAbilities, 'documentsVersion' | 'transferVersion'> | null,
): ConsentNeeds | null {
  if (!user || !inForce) return null;
  return {
    documents: findNeed('documents', user.consentVersion, inForce.documentsVersion),
    transfer: findNeed('transfer', user.transferConsentVersion, inForce.transferVersion),
  };
}

/** What is asked for is the version of this page's own text, because the person reads that. */
function findNeed(kind: ConsentKind, agreed: string | null, inForce: string): ConsentNeed | null {
  if (agreed === inForce) return null;
  const version = CONSENT_VERSIONS[kind];
  return { version, isRenewal: agreed !== null, isPageOutdated: version !== inForce };
}
