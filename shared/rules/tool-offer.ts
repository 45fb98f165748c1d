import type { GenerationKind } from './generation-lifecycle.ts';
import type { AspectRatio } from './motion-presets.ts';
import type { VideoSeconds } from './prices.ts';
import { CHANGE_NAMES, type Change } from './tool-abilities.ts';
import { TOOLS } from './tools.ts';

export const ABROAD_NOTE = 'Фото обрабатывается на сервере за границей.';

interface OfferedTool {
  kind: GenerationKind;
  isOffered: boolean;
  /** Why nothing can be started now. */
  obstacle: { message: string } | null;
}

/** The tools that cannot be started now, by reason: «Видео, Фотосессия», and the words of the refusal. */
export function groupObstacles(tools: readonly OfferedTool[], change: Change): { names: string; message: string }[] {
  const groups = new Map<string, string[]>();
  for (const { kind, isOffered, obstacle } of tools) {
    if (!isOffered || !obstacle) continue;
    groups.set(obstacle.message, [...(groups.get(obstacle.message) ?? []), nameTool(kind, change)]);
  }
  return [...groups].map(([message, names]) => ({ names: names.join(', '), message }));
}

function nameTool(kind: GenerationKind, change: Change): string {
  return kind === 'model_change' ? CHANGE_NAMES[change] : TOOLS[kind].name;
}

/** The lengths and ratios that are made now. */
export interface VideoOffer {
  videoSeconds: readonly VideoSeconds[];
  aspectRatios: readonly AspectRatio[];
}

export interface VideoShape {
  seconds: VideoSeconds;
  ratio: AspectRatio;
}

/** The shape, with the first offered length or ratio in place of one that is not made now. */
export function fitShape({ seconds, ratio }: VideoShape, offer: VideoOffer): VideoShape {
  return { seconds: choose(seconds, offer.videoSeconds), ratio: choose(ratio, offer.aspectRatios) };
}

/** Says what was replaced: «Видео 10 секунд сейчас не создаётся, выбрано 5 секунд.» Null when nothing was. */
export function describeReplacement(wanted: VideoShape, fitted: VideoShape): string | null {
  const words = [
    ...(wanted.seconds === fitted.seconds
      ? []
      : [`Видео ${wanted.seconds} секунд сейчас не создаётся, выбрано ${fitted.seconds} секунд.`]),
    ...(wanted.ratio === fitted.ratio ? [] : [`Формат ${wanted.ratio} сейчас не создаётся, выбран ${fitted.ratio}.`]),
  ];
  return words.length > 0 ? words.join(' ') : null;
}

/** Without any offer nothing replaces the choice. */
function choose<Value>(wanted: Value, offered: readonly Value[]): Value {
  return offered.includes(wanted) ? wanted : (offered[0] ?? wanted);
}

/** Said where a stand-in works in place of the engine, as in `npm run demo:engines`. */
export const DEMONSTRATION_NOTE =
  'Демонстрация: движок ненастоящий. Результаты делаются из вашего же фото, иногда в другом цвете.';
