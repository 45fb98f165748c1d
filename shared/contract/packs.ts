import * as z from 'zod/mini';
import { MARKETPLACES } from '#shared/rules/marketplaces.ts';
import { PACK_FILES_MAX, PACK_TEMPLATE_MAX_LENGTH } from '#shared/rules/packs.ts';
import { defineEndpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { byId, idText, lineOfText } from './ids.ts';
import { ITEM_REFUSALS } from './item-refusals.ts';

/** What a pack is made of: what was taken of a batch, all results of a product, or chosen ones in their order. */
const packSubject = z.union([
  z.object({ batchId: idText }),
  z.object({ productId: idText }),
  z.object({ itemIds: z.array(idText).check(z.minLength(1), z.maxLength(PACK_FILES_MAX)) }),
]);
export type PackSubject = z.output<typeof packSubject>;

const template = lineOfText(PACK_TEMPLATE_MAX_LENGTH, {
  missing: 'Введите шаблон названий',
  tooLong: `Шаблон должен быть не длиннее ${PACK_TEMPLATE_MAX_LENGTH} символов`,
  unprintable: 'В шаблоне есть недопустимые символы',
});
const packOrder = { marketplace: z.enum(MARKETPLACES), subject: packSubject, template };

/** A ZIP with what a marketplace takes. */
export const pack = z.object({
  id: z.string(),
  marketplace: z.enum(MARKETPLACES),
  /** What it is made of, as a person calls it. */
  title: z.string(),
  batchId: z.nullable(z.string()),
  productId: z.nullable(z.string()),
  /** Of the names of its files. */
  template: z.string(),
  status: z.enum(['making', 'ready', 'failed']),
  /** Files that are ready, of how many. */
  done: z.int(),
  total: z.int(),
  /** How many of them lie in `лишнее`, because a card takes no more or the marketplace would refuse them. */
  extra: z.int(),
  fileName: z.string(),
  /** Size of the ZIP. Null until it is ready. */
  bytes: z.nullable(z.int()),
  /** Why it has failed. Null otherwise. */
  failure: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  /** When it is removed. Null until it is ready. */
  expiresAt: z.nullable(z.iso.datetime()),
});
export type Pack = z.output<typeof pack>;

const CONTENT_REFUSALS = [
  'batch_not_found',
  'batch_forbidden',
  'product_not_found',
  'product_forbidden',
  ...ITEM_REFUSALS,
  'pack_empty',
  'pack_too_large',
] as const satisfies ErrorCode[];

export const previewPack = defineEndpoint({
  method: 'POST',
  path: '/api/packs/preview',
  summary: 'The files that a pack would have, with their names and what is changed about them',
  access: 'account',
  body: z.object(packOrder),
  answer: z.object({
    files: z.array(
      z.object({
        /** Within the ZIP. */
        path: z.string(),
        thumbnailUrl: z.string(),
        /** What is changed about it, in words. */
        changes: z.array(z.string()),
        /** Why it lies in `лишнее`. Null where it belongs to the card. */
        extra: z.nullable(z.string()),
      }),
    ),
    /** Paths that several files would have. */
    collisions: z.array(z.string()),
    /** What the marketplace does not state. It is not checked. */
    unchecked: z.array(z.string()),
  }),
  errors: [...CONTENT_REFUSALS, 'too_many_requests'],
});
export type PackPreview = z.output<typeof previewPack.answer>;

/** Only for accounts that have paid. A repeat with the same id answers the same pack. */
export const createPack = defineEndpoint({
  method: 'POST',
  path: '/api/packs',
  summary: 'Has a pack made',
  access: 'account',
  body: z.object({ id: z.uuid(), ...packOrder }),
  answer: pack,
  errors: [
    ...CONTENT_REFUSALS,
    'premium_required',
    'pack_forbidden',
    'pack_names_collide',
    'packs_busy',
    'storage_full',
    'storage_unavailable',
    'too_many_requests',
  ],
});

export const listPacks = defineEndpoint({
  method: 'GET',
  path: '/api/packs',
  summary: 'The packs that the account keeps, newest first',
  access: 'account',
  answer: z.object({ packs: z.array(pack) }),
});

/** Only for accounts that have paid. */
export const downloadPack = defineEndpoint({
  method: 'GET',
  path: '/api/packs/:id/file',
  summary: 'A pack as a ZIP',
  access: 'account',
  params: byId,
  errors: [
    'pack_not_found',
    'pack_forbidden',
    'pack_not_ready',
    'premium_required',
    'file_lost',
    'storage_unavailable',
  ],
});

export const deletePack = defineEndpoint({
  method: 'DELETE',
  path: '/api/packs/:id',
  summary: 'Removes a pack; the results stay',
  access: 'account',
  params: byId,
  errors: ['pack_not_found', 'pack_forbidden'],
});
