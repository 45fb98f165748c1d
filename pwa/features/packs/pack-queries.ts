import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { refetchSoon } from '#pwa/client/refetch-soon.ts';
import { createStartIntent, type StartIntent } from '#pwa/client/start-intent.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import type { Pack, PackPreview, PackSubject } from '#shared/contract/packs.ts';
import * as contract from '#shared/contract/packs.ts';
import { MARKETPLACES, type Marketplace } from '#shared/rules/marketplaces.ts';

interface Packs {
  /** The newest first. */
  packs: Pack[];
}

/** The packs that the account keeps. `LiveUpdates` fetches them again when one changes. */
export const packsQuery = queryOptions({
  queryKey: QUERY_KEYS.packs,
  queryFn: ({ signal }): Promise<Packs> => callApi(contract.listPacks, undefined, { signal }),
  staleTime: USER_DATA_STALE_MS,
  meta: { persist: 'whole' },
});

/** Which packs are wanted. */
export interface PackOrder {
  marketplaces: readonly Marketplace[];
  /** Of the names of the files. */
  template: string;
}

export interface MarketplacePreview extends PackPreview {
  marketplace: Marketplace;
}

/** What the packs would hold, asked for while `isAsked`. Another order shows the answer about the one before meanwhile. */
export function usePackPreviews(subject: PackSubject, { marketplaces, template }: PackOrder, isAsked: boolean) {
  return useQuery({
    queryKey: ['pack-previews', subject, marketplaces, template],
    queryFn: ({ signal }): Promise<MarketplacePreview[]> =>
      Promise.all(
        marketplaces.map(async (marketplace) => ({
          marketplace,
          ...(await callApi(contract.previewPack, { body: { marketplace, subject, template } }, { signal })),
        })),
      ),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    // What was taken may have changed since.
    staleTime: 0,
  });
}

/** What has become of an order. */
export interface OrderOutcome {
  made: Pack[];
  /** Why the rest was not ordered. Null when nothing is left. */
  refusal: Refusal | null;
}

export interface Refusal {
  error: ApiError;
  /** Of the first pack that was not ordered. A repeat has it, too. */
  packId: string;
  rest: Order;
}

interface Order extends PackOrder {
  /** A failed pack that this one takes the place of. */
  replacedId?: string;
}

/**
 * Has packs made, one marketplace after another, until one is refused. A repeat of a refused order has the same ids, so
 * nothing is made twice after a lost answer.
 */
export function useOrderPacks(subject: PackSubject) {
  const queryClient = useQueryClient();
  const [intents] = useState(
    () =>
      Object.fromEntries(MARKETPLACES.map((name) => [name, createStartIntent()])) as Record<Marketplace, StartIntent>,
  );
  return useSingleMutation<OrderOutcome, Order>({
    mutationFn: async (order) => {
      const made: Pack[] = [];
      for (const [index, marketplace] of order.marketplaces.entries()) {
        const body = { marketplace, subject, template: order.template };
        const packId = intents[marketplace].keyFor(body);
        try {
          const pack = await callApi(contract.createPack, { body: { id: packId, ...body } });
          intents[marketplace].settle();
          made.push(pack);
          queryClient.setQueryData(packsQuery.queryKey, (known) => ({ packs: withPack(known?.packs ?? [], pack) }));
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const rest = { ...order, marketplaces: order.marketplaces.slice(index) };
          return { made, refusal: { error, packId, rest } };
        }
      }
      if (order.replacedId) await removePack(queryClient, order.replacedId).catch(() => undefined);
      return { made, refusal: null };
    },
    onSettled: () => void refetchSoon(queryClient, QUERY_KEYS.packs),
  });
}

/** The list with a pack that was just ordered. The stream may have told of it, and more, before. */
function withPack(packs: Pack[], pack: Pack): Pack[] {
  return packs.some(({ id }) => id === pack.id) ? packs : [pack, ...packs];
}

/** Removes a pack. The results stay. */
export function useDeletePack() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (packId: string) => removePack(queryClient, packId),
    onSettled: () => void refetchSoon(queryClient, QUERY_KEYS.packs),
  });
}

async function removePack(queryClient: QueryClient, packId: string): Promise<void> {
  await callApi(contract.deletePack, { params: { id: packId } });
  queryClient.setQueryData(
    packsQuery.queryKey,
    (known) => known && { packs: known.packs.filter(({ id }) => id !== packId) },
  );
}
