import type { Api } from 'grammy';
import type { AppContext } from '#api/app-context.ts';
import { getBalance } from '#api/services/stars.ts';
import { MESSAGES } from './messages.ts';
import { sendOnce } from './send-once.ts';

interface Purchase {
  paymentId: string;
  accountId: number;
  stars: number;
  chatId: bigint | number;
}

/** Tells a buyer, once, that the stars are there, however that came to be known. Throws what sendOnce does. */
export async function thankForPurchase(app: AppContext, api: Api, purchase: Purchase): Promise<void> {
  const { paymentId, accountId, stars, chatId } = purchase;
  const text = MESSAGES.purchased(stars, await getBalance(app, accountId));
  await sendOnce(app, { causeKey: `purchased:${paymentId}`, chatId }, () => api.sendMessage(Number(chatId), text));
}
