import { SettingSets } from '#pwa/features/generations/setting-sets.tsx';
import type { ModelChangeView } from './model-change-tool.ts';
import type { Selection } from './selection.ts';
import type { ModelChangeTool } from './use-model-change-tool.ts';

export interface ChoiceSetsProps {
  change: ModelChangeTool;
  selection: Selection;
  liked: ModelChangeView | null;
}

/** The named choices of model and background, and where the shown ones come from. */
export function ChoiceSets({ change, selection: { model, background }, liked }: ChoiceSetsProps) {
  const { modelId, backgroundId } = change.draft;
  const hasModel = change.way.includes('model');
  const isComplete = background && (model || !hasModel);
  return (
    <SettingSets
      kind="model_change"
      settings={isComplete ? { modelId: hasModel ? modelId : null, backgroundId: background.id } : null}
      suggestedName={[hasModel && model?.name, background?.name].filter(Boolean).join(', ')}
      isShown={(settings) => settings.backgroundId === backgroundId && (!hasModel || settings.modelId === modelId)}
      isDefault={backgroundId === null && (!hasModel || modelId === null)}
      liked={liked}
      onChoose={change.chooseSettings}
      onReset={() => change.chooseSettings({ modelId: null, backgroundId: null })}
      className="mt-4"
    />
  );
}
