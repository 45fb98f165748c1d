import { DocumentPage } from '#pwa/features/documents/document-page.tsx';
import { writeTermsOfService } from '#pwa/features/documents/terms-of-service.ts';

export default function TermsOfServicePage() {
  return <DocumentPage title="Пользовательское соглашение" write={writeTermsOfService} />;
}
