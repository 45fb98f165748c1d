import {
  Camera,
  ChartLine,
  Clapperboard,
  House,
  Images,
  Layers,
  type LucideIcon,
  Shirt,
  Tags,
  UserRoundCog,
  Wallpaper,
} from 'lucide-react';
import { PATHS, type Path } from '#shared/rules/app-paths.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { CHANGE_NAMES, type Change } from '#shared/rules/tool-abilities.ts';
import { TOOLS } from '#shared/rules/tools.ts';

export interface NavigationItem {
  path: Path;
  icon: LucideIcon;
  label: string;
  /** The label in the tab bar of phones. Items without one are not in the tab bar. */
  shortLabel?: string;
  isSoon?: boolean;
  isForAdmins?: boolean;
}

const CHANGE_ITEMS: Record<Change, Pick<NavigationItem, 'icon' | 'shortLabel'>> = {
  model_change: { icon: UserRoundCog, shortLabel: 'Модель' },
  background_change: { icon: Wallpaper, shortLabel: 'Фон' },
};

/**
 * The items in the order of the sidebar, with the offered tools only. `change` decides the name of the tool for models
 * and backgrounds. A try-on that is not offered is announced.
 */
export function listNavigation(change: Change, offered: readonly GenerationKind[]): NavigationItem[] {
  const tools: Record<GenerationKind, NavigationItem> = {
    model_change: { path: TOOLS.model_change.page, label: CHANGE_NAMES[change], ...CHANGE_ITEMS[change] },
    video: { path: TOOLS.video.page, icon: Clapperboard, label: 'Создать видео', shortLabel: 'Видео' },
    try_on: {
      path: TOOLS.try_on.page,
      icon: Shirt,
      label: 'Виртуальная примерка',
      isSoon: !offered.includes('try_on'),
    },
    photosession: {
      path: TOOLS.photosession.page,
      icon: Camera,
      label: 'Фотосессия по\u00a01\u00a0фото',
      shortLabel: 'Фото',
    },
  };
  const shown = GENERATION_KINDS.filter((kind) => kind === 'try_on' || offered.includes(kind));
  return [
    { path: PATHS.app, icon: House, label: 'Главная', shortLabel: 'Главная' },
    ...shown.map((kind) => tools[kind]),
    { path: PATHS.batches, icon: Layers, label: 'Партии' },
    { path: PATHS.products, icon: Tags, label: 'Товары' },
    { path: PATHS.gallery, icon: Images, label: 'Галерея', shortLabel: 'Галерея' },
    { path: PATHS.analytics, icon: ChartLine, label: 'Аналитика', isForAdmins: true },
  ];
}
