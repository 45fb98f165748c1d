import { DEFAULT_VIDEO_FORM, toVideoSettings } from '#pwa/features/videos/video-form.ts';
import { type BatchSet, batchSet } from '#shared/contract/batches.ts';
import type { EndpointAnswer } from '#shared/contract/endpoint.ts';
import type { getToolSettings } from '#shared/contract/tool-settings.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';

type LastSettings = EndpointAnswer<typeof getToolSettings>['last'];

/** The settings with which the tool was started last, otherwise its usual ones. Null when something has to be chosen. */
export function chooseDefaultSet(kind: GenerationKind, last: LastSettings, change: Change): BatchSet | null {
  switch (kind) {
    case 'video':
      return read({ kind, settings: last.video ?? toVideoSettings(DEFAULT_VIDEO_FORM) });
    case 'model_change':
      return last.model_change ? read({ kind, settings: { ...last.model_change, agreedChange: change } }) : null;
    case 'try_on':
      return read({ kind, settings: last.try_on ?? {} });
    case 'photosession':
      return { kind, settings: {} };
  }
}

function read(set: object): BatchSet | null {
  return batchSet.safeParse(set).data ?? null;
}
