import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { nb } from '#pwa/lib/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import type { StartLater } from './use-start-later.ts';

export interface StartLaterActionProps {
  later: StartLater;
  /** In stars, of what is chosen now. */
  price: number;
  onAgree: () => void;
}

/** In the place of the start while there is no network: nothing is spent without this consent. */
export function StartLaterAction({ later, price, onAgree }: StartLaterActionProps) {
  if (later.agreedPrice === null) {
    return (
      <div className="generate-action">
        <Button size="lg" wide price={price} onClick={onAgree}>
          Запустить, когда появится связь
        </Button>
        <p className="num text-sm text-muted text-center mt-2">
          {nb(`Сейчас ничего не списывается. При запуске спишем ${nameStars(price)}.`)}
        </p>
      </div>
    );
  }
  return (
    <Notice
      tone="info"
      title="Запустим, когда появится связь"
      action={
        <Button variant="second" size="sm" onClick={later.withdraw}>
          Отменить
        </Button>
      }
    >
      {nb(`При запуске спишем ${nameStars(later.agreedPrice)}.`)}
    </Notice>
  );
}

/** «1 звезду», as what is taken. */
function nameStars(count: number): string {
  return `${count} ${pluralize(count, ['звезду', 'звезды', 'звёзд'])}`;
}
