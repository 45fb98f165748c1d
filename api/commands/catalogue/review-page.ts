import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { locateBackground, locateModel, type Manifest } from '#api/catalogue/manifest.ts';
import { escapeHtml } from '#api/platform/escape-html.ts';

const PAGE = 'index.html';

interface Card {
  place: string;
  title: string;
  prompt: string | undefined;
  alt: string;
  /** Height of the line where the floor should begin, as a share from the top. Null without one. */
  floor: number | null;
}

/**
 * Writes the page on which the operator looks at the pictures beside their prompts, and returns its path. `made`:
 * places whose pictures are new.
 */
export function writeReviewPage(folder: string, manifest: Manifest, made: ReadonlySet<string>): string {
  const people = manifest.models.map(
    (model): Card => ({
      place: locateModel(model),
      title: `${model.name}, ${model.ageRange}`,
      prompt: model.prompt,
      alt: model.alt,
      floor: null,
    }),
  );
  const scenes = manifest.backgrounds.map(
    (background): Card => ({
      place: locateBackground(background),
      title: background.name,
      prompt: background.prompt,
      alt: background.alt,
      floor: background.floor,
    }),
  );
  const newOnes = [...people, ...scenes].filter(({ place }) => made.has(place)).length;
  const file = path.join(folder, PAGE);
  writeFileSync(
    file,
    `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Каталог на просмотр</title>
<style>${STYLE}</style>
<h1>Каталог на просмотр</h1>
<p>Новых картинок: ${newOnes}. Чтобы снять картинку заново, удалите её файл в папке <code>originals</code>, при
желании измените <code>prompt</code> в <code>manifest.json</code> этой папки и повторите команду. Линия на фоне
показывает <code>floor</code>: там начинается пол.</p>
<h2>Модели</h2>
<ul>${people.map((card) => describeCard(card, made.has(card.place))).join('')}</ul>
<h2>Фоны</h2>
<ul>${scenes.map((card) => describeCard(card, made.has(card.place))).join('')}</ul>
</html>
`,
  );
  return file;
}

function describeCard({ place, title, prompt, alt, floor }: Card, isNew: boolean): string {
  const line = floor === null ? '' : `<i style="top:${floor * 100}%"></i>`;
  return `
<li>
<a href="${place}.webp"><img src="${place}.webp" alt="${escapeHtml(alt)}" loading="lazy">${line}</a>
<h3>${escapeHtml(title)}</h3>
<p><code>${place}</code> ${isNew ? '<b>новая</b>' : 'прежняя'}</p>
<p>${escapeHtml(alt)}</p>
<p lang="en">${escapeHtml(prompt ?? '')}</p>
</li>`;
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; }
body > p { max-width: 44rem; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 2rem 1.5rem; padding: 0; }
li { list-style: none; }
a { display: block; position: relative; }
img { display: block; width: 100%; aspect-ratio: 3 / 4; border-radius: 8px; }
i { position: absolute; inset-inline: 0; border-top: 1px dashed red; }
h3 { margin: 0.75rem 0 0; font-size: 1rem; }
li p { margin: 0.25rem 0; overflow-wrap: anywhere; }
p[lang] { opacity: 0.7; font-size: 0.8125rem; }
`;
