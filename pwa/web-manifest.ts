import type { ManifestOptions } from 'vite-plugin-pwa';
import { PATHS } from '#shared/rules/app-paths.ts';
import { PHOTO_ACCEPTED_TYPES } from '#shared/rules/photo-requirements.ts';
import { SHARE_QUERY, SHARE_TARGET_PATH, SHARED_FILES_FIELD } from '#shared/rules/share-target.ts';

/** The web app manifest. The id must never change, because another id would make it another app. */
export const WEB_MANIFEST: Partial<ManifestOptions> = {
  id: '/',
  name: 'Подиум: видео с показа из фото товара',
  short_name: 'Подиум',
  description: 'Фото товара становится коротким видео с показа, снимком с новым фоном или фотосессией.',
  lang: 'ru',
  dir: 'ltr',
  start_url: `${PATHS.app}?source=pwa`,
  scope: '/',
  display: 'standalone',
  theme_color: '#ffffff',
  background_color: '#ffffff',
  categories: ['photo', 'shopping', 'business'],
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  screenshots: [
    screenshot('narrow', 'create-video', 'Видео с показа по одному фото'),
    screenshot('narrow', 'gallery', 'Результаты в галерее'),
    screenshot('narrow', 'change-model', 'Новый фон для фото товара'),
    screenshot('wide', 'create-video', 'Видео с показа по одному фото'),
    screenshot('wide', 'gallery', 'Результаты в галерее'),
  ],
  shortcuts: [
    // The manifest is built once for all engines, and every engine can change the background.
    shortcut('Новый фон', 'Сменить фон на фото товара', PATHS.changeModel),
    shortcut('Видео', 'Создать видео по фото товара', PATHS.createVideo),
    shortcut('Фотосессия', 'Пять кадров по одному фото', PATHS.photoshoot),
    shortcut('Галерея', 'Готовые фото и видео', PATHS.gallery),
  ],
  share_target: {
    action: SHARE_TARGET_PATH,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: SHARED_FILES_FIELD, accept: ['image/*', ...PHOTO_ACCEPTED_TYPES] }] },
  },
  file_handlers: [
    {
      action: `${PATHS.createVideo}?share=${SHARE_QUERY.received}`,
      accept: {
        'image/jpeg': ['.jpg', '.jpeg'],
        'image/png': ['.png'],
        'image/webp': ['.webp'],
        'image/avif': ['.avif'],
        'image/heic': ['.heic', '.heif'],
      },
    },
  ],
  launch_handler: { client_mode: ['navigate-existing', 'auto'] },
};

function screenshot(formFactor: 'narrow' | 'wide', name: string, label: string) {
  const sizes = formFactor === 'narrow' ? '780x1688' : '1440x900';
  const src = `/screenshots/${formFactor}-${name}.webp`;
  return { src, sizes, type: 'image/webp', form_factor: formFactor, label };
}

function shortcut(name: string, description: string, path: string) {
  const icons = [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }];
  return { name, description, url: `${path}?source=shortcut`, icons };
}
