import { DocumentPage } from '#pwa/features/documents/document-page.tsx';
import { writePersonalDataConsent } from '#pwa/features/documents/personal-data-consent.ts';

export default function PersonalDataConsentPage() {
  return <DocumentPage title="Согласие на обработку персональных данных" write={writePersonalDataConsent} />;
}
