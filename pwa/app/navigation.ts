import { Camera, ChartLine, Clapperboard, House, Images, type LucideIcon, Shirt, UserRoundCog } from 'lucide-react';
import { PATHS, type Path } from '#shared/rules/app-paths.ts';

export interface NavigationItem {
  path: Path;
  icon: LucideIcon;
  label: string;
  /** In the tab bar of phones; absent: not there. */
  shortLabel?: string;
  isSoon?: boolean;
  isForAdmins?: boolean;
}

/** Order of the sidebar. */
export const NAVIGATION: readonly NavigationItem[] = [
  { path: PATHS.app, icon: House, label: 'Главная', shortLabel: 'Главная' },
  { path: PATHS.changeModel, icon: UserRoundCog, label: 'Смена модели', shortLabel: 'Модель' },
  { path: PATHS.createVideo, icon: Clapperboard, label: 'Создать видео', shortLabel: 'Видео' },
  { path: PATHS.tryOn, icon: Shirt, label: 'Виртуальная примерка', isSoon: true },
  { path: PATHS.photoshoot, icon: Camera, label: 'Фотосессия по\u00a01\u00a0фото', shortLabel: 'Фото' },
  { path: PATHS.gallery, icon: Images, label: 'Галерея', shortLabel: 'Галерея' },
  { path: PATHS.analytics, icon: ChartLine, label: 'Аналитика', isForAdmins: true },
];

const TAB_ORDER: readonly Path[] = [PATHS.app, PATHS.createVideo, PATHS.changeModel, PATHS.photoshoot, PATHS.gallery];

/** Order of the tab bar: the tool most used comes first. */
export const TABS: readonly NavigationItem[] = TAB_ORDER.flatMap((path) =>
  NAVIGATION.filter((item) => item.path === path),
);
