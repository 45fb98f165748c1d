import { z } from 'zod';

const CHANNEL = 'podium.purchases';
const purchaseNews = z.object({ userId: z.int() });

/** Tells every open tab of this browser, this one too, that the account has got what it paid for. */
export function announcePurchase(userId: number): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ userId } satisfies z.infer<typeof purchaseNews>);
  channel.close();
}

/** Calls the listener with the buyer's id; gives back how to stop. */
export function subscribePurchases(listener: (userId: number) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    const news = purchaseNews.safeParse(data);
    if (news.success) listener(news.data.userId);
  };
  return () => channel.close();
}
