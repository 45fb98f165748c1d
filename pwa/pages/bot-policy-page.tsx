import { writeBotPolicy } from '#pwa/features/documents/bot-policy.ts';
import { DocumentPage } from '#pwa/features/documents/document-page.tsx';

export default function BotPolicyPage() {
  return <DocumentPage title="Условия использования Telegram-бота" write={writeBotPolicy} />;
}
