import * as z from 'zod/mini';
import { SET_NAME_MAX_LENGTH } from '#shared/rules/setting-sets.ts';
import { defineEndpoint } from './endpoint.ts';
import { byId, idText, lineOfText } from './ids.ts';
import { modelChangeChoice } from './model-change-settings.ts';
import { tryOnSettings } from './try-on-settings.ts';
import { storedVideoSettings, videoSettings } from './video-settings.ts';

/** A set as its owner sees it. A photo session has nothing to choose, so it has no sets. */
const anySet = { id: z.string(), name: z.string(), createdAt: z.iso.datetime() };
export const settingSet = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('video'), ...anySet, settings: storedVideoSettings }),
  z.object({ kind: z.literal('model_change'), ...anySet, settings: modelChangeChoice }),
  z.object({ kind: z.literal('try_on'), ...anySet, settings: tryOnSettings }),
]);
export type SettingSet = z.infer<typeof settingSet>;

const name = lineOfText(SET_NAME_MAX_LENGTH, {
  missing: 'Введите название набора',
  tooLong: `Название набора должно быть не длиннее ${SET_NAME_MAX_LENGTH} символов`,
  unprintable: 'В названии набора есть недопустимые символы',
});

/** What is asked to be kept under a name. */
export const newSettingSet = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('video'), name, settings: videoSettings }),
  z.object({
    kind: z.literal('model_change'),
    name,
    settings: z.object({ modelId: z.nullable(idText), backgroundId: idText }),
  }),
  z.object({ kind: z.literal('try_on'), name, settings: tryOnSettings }),
]);
export type NewSettingSet = z.output<typeof newSettingSet>;

export const getToolSettings = defineEndpoint({
  method: 'GET',
  path: '/api/tool-settings',
  summary: 'The settings of the last start of each tool, and the named sets of settings',
  access: 'account',
  answer: z.object({
    /** Absent for a tool that was never started, and where a start has left nothing to repeat. */
    last: z.object({
      video: z.catch(z.optional(storedVideoSettings), undefined),
      model_change: z.catch(z.optional(modelChangeChoice), undefined),
      try_on: z.catch(z.optional(tryOnSettings), undefined),
    }),
    /** By name. */
    sets: z.array(settingSet),
  }),
});

export const createSettingSet = defineEndpoint({
  method: 'POST',
  path: '/api/setting-sets',
  summary: 'Keeps settings of a tool under a name, which is unique in the tool, whatever the case',
  access: 'account',
  body: newSettingSet,
  answer: settingSet,
  errors: ['set_name_taken', 'sets_full', 'too_many_requests'],
});
export const renameSettingSet = defineEndpoint({
  method: 'PATCH',
  path: '/api/setting-sets/:id',
  summary: 'Gives a set another name',
  access: 'account',
  params: byId,
  body: z.object({ name }),
  answer: settingSet,
  errors: ['set_not_found', 'set_forbidden', 'set_name_taken', 'too_many_requests'],
});
export const deleteSettingSet = defineEndpoint({
  method: 'DELETE',
  path: '/api/setting-sets/:id',
  summary: 'Removes a set. What was made with it stays',
  access: 'account',
  params: byId,
  errors: ['set_not_found', 'set_forbidden'],
});
