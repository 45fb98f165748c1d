import { DocumentPage } from '#pwa/features/documents/document-page.tsx';
import { writePrivacyPolicy } from '#pwa/features/documents/privacy-policy.ts';

export default function PrivacyPolicyPage() {
  return <DocumentPage title="Политика конфиденциальности" write={writePrivacyPolicy} />;
}
