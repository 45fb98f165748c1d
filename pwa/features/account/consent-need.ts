import type { ConsentNeed } from '#pwa/lib/document-consent.ts';
import {
  dateOfVersion,
  nameDocumentsVersion,
  namesTransferAbroad,
  needsNewConsent,
} from '#shared/rules/legal-documents.ts';

/**
 * What the version that the account agreed to lacks of the one in force. Null when nothing is lacking or known. What is
 * asked for has the day of this page's own texts, because the person reads those.
 */
export function findConsentNeed(agreed: string | null, inForce: string | null): ConsentNeed | null {
  if (agreed === null || inForce === null || !needsNewConsent(agreed, inForce)) return null;
  const version = nameDocumentsVersion(namesTransferAbroad(inForce));
  return {
    version,
    hasNewTexts: dateOfVersion(agreed) !== dateOfVersion(inForce),
    isNewlyAbroad: namesTransferAbroad(inForce) && !namesTransferAbroad(agreed),
    isPageOutdated: version !== inForce,
  };
}
