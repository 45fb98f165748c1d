import { DocumentPage } from '#pwa/features/documents/document-page.tsx';
import { writePhotoTransferConsent } from '#pwa/features/documents/photo-transfer-consent.ts';
import { TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';

export default function PhotoTransferConsentPage() {
  return (
    <DocumentPage
      title="Согласие на передачу фото за границу"
      version={TRANSFER_VERSION}
      write={writePhotoTransferConsent}
    />
  );
}
