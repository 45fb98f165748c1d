import type { SignupStarsRefusal } from '#shared/contract/account.ts';

/** Why there are no sign-up stars, for the person. */
export const SIGNUP_STARS_REFUSALS: Record<SignupStarsRefusal, string> = {
  mailbox:
    'Подарочные звёзды даются один раз на почтовый ящик, и этому ящику их уже начисляли (адреса с «+» и удалённые аккаунты тоже считаются). Всё остальное работает, звёзды можно купить.',
  network:
    'Сегодня из вашей сети зарегистрировалось очень много аккаунтов, поэтому подарочные звёзды не начислены. Если вы регистрируетесь впервые, напишите нам, и мы разберёмся.',
};
