import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { nb } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { ConsentButton } from './start-notes.tsx';
import { AWAITS_CONSENT, type StartLater } from './use-start-later.ts';

export interface StartLaterProps {
  later: StartLater;
  price: number;
  onAgree: () => void;
}

/** Replaces the start button while there is no network. Nothing is spent without this consent. */
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

/** The button that gives the consent; null once it was given. */
export function StartLaterButton({ later, price, onAgree }: StartLaterProps) {
  if (later.agreedPrice !== null) return null;
  return (
    // The label is too long for one line beside a summary or another button.
    <Button size="lg" wide price={price} className="!whitespace-normal !px-4 py-1" onClick={onAgree}>
      Запустить, когда появится связь
    </Button>
  );
}

/** Explains the consent. Once it is given, says so and offers to withdraw it. */
export function StartLaterHint({ later, price }: Omit<StartLaterProps, 'onAgree'>) {
  if (later.agreedPrice === null) {
    return (
      <p className="num text-sm text-muted text-center mt-2">
        {nb(`Сейчас ничего не списывается. При запуске спишем ${nameStars(price)}.`)}
      </p>
    );
  }
  const spends = `При запуске спишем ${nameStars(later.agreedPrice)}.`;
  const withdraw = (
    <Button variant="second" size="sm" className={later.awaitsConsent ? 'max-md:w-full' : ''} onClick={later.withdraw}>
      Отменить
    </Button>
  );
  if (later.awaitsConsent) {
    return (
      <Notice
        tone="warning"
        title={AWAITS_CONSENT.title}
        action={
          <>
            <ConsentButton onPress={later.consent} />
            {withdraw}
          </>
        }
      >
        {nb(`${AWAITS_CONSENT.text} ${spends}`)}
      </Notice>
    );
  }
  const { isStopped = false, trouble = null, isRepeated = false } = later.wait ?? {};
  if (!later.hasWaitingPhoto && (isStopped || trouble !== null)) {
    const reason = trouble ?? 'Сервер не отвечает. Проверьте интернет и повторите';
    return (
      <Notice
        tone="warning"
        title={isStopped ? 'Запуск не отправлен' : 'Запуск ждёт'}
        action={
          <>
            <Button variant="second" size="sm" onClick={later.retry}>
              Повторить
            </Button>
            {withdraw}
          </>
        }
      >
        {nb(`${reason}. ${isStopped ? '' : 'Мы повторим и сами. '}${spends}`)}
      </Notice>
    );
  }
  const isReached = trouble !== null || isRepeated;
  const title = later.hasWaitingPhoto ? 'Запустим, как только получится' : 'Запускаем снова…';
  return (
    <Notice tone="info" title={isReached ? title : 'Запустим, когда появится связь'} action={withdraw}>
      {nb(spends)}
    </Notice>
  );
}

/** «1 звезду», in the accusative. */
function nameStars(count: number): string {
  return `${count} ${pluralize(count, ['звезду', 'звезды', 'звёзд'])}`;
}
