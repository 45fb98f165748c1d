import { FILE_ENDING, LEADING_DOTS } from './outside-text.ts';

/** Maximum length of a whole file name in code points, including its extension. */
export const DOWNLOAD_NAME_MAX_LENGTH = 120;

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'video/mp4': '.mp4',
};

/** The name of a file with the extension of its content type. `stem`: from `nameStem`. */
export function nameFile(stem: string, contentType: string): string {
  const extension = EXTENSIONS[contentType] ?? '';
  return [...stem].slice(0, DOWNLOAD_NAME_MAX_LENGTH - extension.length).join('') + extension;
}

/** The name of the file of what is called so: letters of any language, digits, `.`, `-` and `_`, and its extension. */
export function nameDownload({ title, contentType }: { title: string; contentType: string }): string {
  return nameFile(nameStem(title.trim().replace(FILE_ENDING, '')), contentType);
}

/** A title converted to a file name without an extension. */
export function nameStem(title: string): string {
  // Composed, because й and ё of a Mac have a part that is no letter. A leading dot would hide the file.
  return title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]/gu, '_')
    .replace(LEADING_DOTS, (dots) => '_'.repeat(dots.length));
}

/** Adds `_2` and so on to repeated names of files. Names that differ in case alone count as repeated. */
export function makeNamesUnique(names: string[]): string[] {
  return names.map(createUniqueNamer());
}

/** Does what makeNamesUnique does with one name after another. A name may begin with folders. */
export function createUniqueNamer(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let unique = name;
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${stem}_${count}${extension}`;
    taken.add(unique.toLowerCase());
    return unique;
  };
}

const LATIN = new Map(
  [
    'а-a б-b в-v г-g д-d е-e ё-e ж-zh з-z и-i й-y к-k л-l м-m н-n о-o п-p',
    'р-r с-s т-t у-u ф-f х-kh ц-ts ч-ch ш-sh щ-shch ъ- ы-y ь- э-e ю-yu я-ya',
  ].flatMap((line) => line.split(' ').map((pair): [string, string] => [pair.charAt(0), pair.slice(2)])),
);

/**
 * Transliterates «Платье_Дефиле» to «Plate_Defile», for programs that read only Latin letters. Other characters become
 * `_`.
 */
export function spellInLatin(name: string): string {
  // Composed, so that й and ё are one character each. Names from a Mac may have them in two.
  const spelled = name.normalize('NFC').replace(/[а-яё]/gi, (letter) => {
    const latin = LATIN.get(letter.toLowerCase()) ?? '_';
    return letter === letter.toLowerCase() ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
  });
  // Removes accents and keeps their letters.
  return spelled
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '_');
}
