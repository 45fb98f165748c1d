import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { nb } from '#pwa/format.ts';
import { type Consent, cookieConsent } from './consent.ts';
import { saveConsent } from './consent-storage.ts';
import { CookiePolicy } from './cookie-policy.tsx';

const CHOICES: Record<Consent, string> = { accepted: 'Сейчас cookie приняты. ', declined: 'Сейчас cookie отклонены. ' };

/**
 * The cookie question for people who have asked for it. A dialog covers nothing that they need. Closing it changes
 * nothing.
 */
export function CookieDialog() {
  const [isOpen, setIsOpen] = useState(true);
  const consent = cookieConsent.get();
  const choose = (choice: Consent) => {
    saveConsent(choice);
    setIsOpen(false);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      title="Файлы cookie"
      description={
        <>
          {nb(`Мы используем cookie. ${consent ? CHOICES[consent] : ''}`)}
          <CookiePolicy />
        </>
      }
      size="sm"
      footer={
        <>
          <Button variant="second" onClick={() => choose('declined')}>
            Отклонить
          </Button>
          <Button onClick={() => choose('accepted')}>Принять</Button>
        </>
      }
    />
  );
}
