import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import picture from '#pwa/assets/samples/dress.avif';
import { ButtonLink } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { activeGenerationsQuery } from '#pwa/features/generations/active-generations-query.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { nb } from '#pwa/format.ts';
import { SAMPLE_PATH } from '#pwa/paths.ts';
import type { User } from '#shared/contract/account.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS, videoPrice } from '#shared/rules/prices.ts';
import { useRecentItems } from './recent-results.tsx';

const PRICE = videoPrice(5);

/** Offers newcomers a sample photo for their first video, until they have made anything or dismiss the offer. */
export default function SampleOffer({ user }: { user: User }) {
  const [isDismissed, setIsDismissed] = useState(() => isSampleDismissed(user.id));
  return isDismissed || user.erasesAt ? null : (
    <Offer
      isEmailVerified={user.isEmailVerified}
      onDismiss={() => {
        noteSampleDismissed(user.id);
        setIsDismissed(true);
      }}
    />
  );
}

function Offer({ isEmailVerified, onDismiss }: { isEmailVerified: boolean; onDismiss: () => void }) {
  const isNewcomer = useIsNewcomer();
  const { balance } = useStarBalance();
  if (!isNewcomer || balance === undefined || (isEmailVerified && balance < PRICE)) return null;
  return (
    <section
      className="panel mb-8 p-3 md:p-4 md:pr-3 flex flex-wrap md:flex-nowrap items-start md:items-center gap-x-4 gap-y-3"
      aria-label="Пример"
    >
      <img src={picture} alt="" width={72} height={96} className="w-[72px] aspect-[3/4] object-cover rounded-print" />
      <div className="flex-1 basis-24 min-w-0">
        <h2 className="font-semibold">{nb('Нет фото под рукой?')}</h2>
        <p className="text-sm text-muted mt-0.5">
          {nb(`Сделайте первое видео из нашего снимка-образца. ${describePrice(isEmailVerified, balance)}`)}
        </p>
      </div>
      <ButtonLink to={SAMPLE_PATH} className="max-md:order-1 max-md:w-full">
        Попробовать на примере
      </ButtonLink>
      <IconButton label="Скрыть предложение" className="max-md:-mr-2 max-md:-mt-2" onClick={onDismiss}>
        <X className="ic" />
      </IconButton>
    </section>
  );
}

/** Whether the account is known to have no generation yet, with any tool. */
function useIsNewcomer(): boolean {
  const hasNoResults = useRecentItems().items?.length === 0;
  const isIdle = useQuery(activeGenerationsQuery).data?.activeGenerations.length === 0;
  return hasNoResults && isIdle;
}

/** The price of the first video and what it is paid from. */
export function describePrice(isEmailVerified: boolean, balance: number): string {
  const price = `Спишется ${countStars(PRICE)}`;
  if (!isEmailVerified) return `${price} из ${SIGNUP_BONUS_STARS}, которые придут в подарок за подтверждение email.`;
  return balance === SIGNUP_BONUS_STARS
    ? `${price} из ${SIGNUP_BONUS_STARS} подаренных.`
    : `${price}, на балансе ${countStars(balance)}.`;
}

/** In localStorage, because it must survive a sign-out, which removes the account's other data from this device. */
const keyOf = (userId: number) => `podium.sampleDismissed.${userId}`;

/** Whether this person has dismissed the offer. */
function isSampleDismissed(userId: number): boolean {
  return localStorage.getItem(keyOf(userId)) === 'true';
}

function noteSampleDismissed(userId: number): void {
  localStorage.setItem(keyOf(userId), 'true');
}
