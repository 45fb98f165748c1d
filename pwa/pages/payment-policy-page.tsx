import { DocumentPage } from '#pwa/features/documents/document-page.tsx';
import { writePaymentPolicy } from '#pwa/features/documents/payment-policy.ts';

export default function PaymentPolicyPage() {
  return <DocumentPage title="Оплата и возврат" write={writePaymentPolicy} />;
}
