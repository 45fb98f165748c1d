import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { nb } from '#pwa/lib/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import type { StartLater } from './use-start-later.ts';

export interface StartLaterProps {
  later: StartLater;
  /** In stars, of what is chosen now. */
  price: number;
  onAgree: () => void;
}

/** In the place of the start while there is no network: nothing is spent without this consent. */
export function StartLaterAction({ className, ...props }: StartLaterProps & { className?: string }) {
  return props.later.agreedPrice === null ? (
    <div className={className}>
      <StartLaterButton {...props} />
      <StartLaterHint {...props} />
    </div>
  ) : (
    <StartLaterHint {...props} />
  );
}

/** Null once it was pressed. */
export function StartLaterButton({ later, price, onAgree }: StartLaterProps) {
  if (later.agreedPrice !== null) return null;
  return (
    // Too long for one line beside a summary or another button.
    <Button size="lg" wide price={price} className="!whitespace-normal !px-4 py-1" onClick={onAgree}>
      Запустить, когда появится связь
    </Button>
  );
}

/** What the consent means; once it was given, that it was, and a way to take it back. */
export function StartLaterHint({ later, price }: Omit<StartLaterProps, 'onAgree'>) {
  if (later.agreedPrice === null) {
    return (
      <p className="num text-sm text-muted text-center mt-2">
        {nb(`Сейчас ничего не списывается. При запуске спишем ${nameStars(price)}.`)}
      </p>
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
