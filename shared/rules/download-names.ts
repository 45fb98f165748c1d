/** Code points of a whole file name, its ending included. */
export const DOWNLOAD_NAME_MAX_LENGTH = 120;

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'video/mp4': '.mp4',
};

interface NamedFile {
  /** As its owner sees it; may be empty. */
  title: string;
  contentType: string;
  /** The name without its ending when there is no title: `image_<id>`, `change-model-result-<timestamp>` … */
  fallback: string;
}

/** What a downloaded file is called: letters of any language, digits, `.`, `-` and `_`, with the file's true ending. */
export function nameDownload({ title, contentType, fallback }: NamedFile): string {
  const extension = EXTENSIONS[contentType] ?? '';
  const stem = title.trim().replace(/\.(jpe?g|png|webp|mp4)$/i, '') || fallback;
  return [...nameStem(stem)].slice(0, DOWNLOAD_NAME_MAX_LENGTH - extension.length).join('') + extension;
}

/** A title as the name of a file may have it, without the file's ending. */
export function nameStem(title: string): string {
  // A leading dot would hide the file.
  return title.replace(/[^\p{L}\p{N}._-]/gu, '_').replace(/^\.+/, (dots) => '_'.repeat(dots.length));
}

/** The same names, with `_2` and so on where one comes again, however its letters are written. */
export function makeNamesUnique(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let unique = name;
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${stem}_${count}${extension}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

const LATIN: Record<string, string> = {
  ...{
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    д: 'd',
    е: 'e',
    ё: 'e',
    ж: 'zh',
    з: 'z',
    и: 'i',
    й: 'y',
    к: 'k',
    л: 'l',
    м: 'm',
  },
  ...{ н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch' },
  ...{ ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
};

/** «Платье_Дефиле» is «Plate_Defile», for programs that read no other letters; what has no such spelling becomes `_`. */
export function spellInLatin(name: string): string {
  // Composed, so that й and ё are one letter each, as a name from a Mac may not have them.
  const spelled = name.normalize('NFC').replace(/[а-яё]/gi, (letter) => {
    const latin = LATIN[letter.toLowerCase()] ?? '_';
    return letter === letter.toLowerCase() ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
  });
  // Accents go, their letters stay.
  return spelled
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '_');
}
