// Every expression that repeats without end over text from outside: words, names, headers, answers of other services.
// Whoever writes the text chooses how long the search takes, so each takes steps in proportion to its length. Two habits
// keep that: a lookbehind lets a run be tried at its beginning only, and neighbouring repeats share no character.
// `outside-text.test.ts` runs all of them over long and hostile texts, and `architecture.test.ts` finds those elsewhere.

export const WHITE_SPACE = /\s+/g;
export const DIGITS = /^\d+$/;
export const NAME_ENDING = /\.(\w+)$/;
export const LEADING_DOTS = /^\.+/;

/**
 * Addresses, links, names of accounts and numbers of telephones in a prompt. Any word with an @ is taken for an address
 * or for the name of an account.
 */
export const PERSONAL_WORDS =
  /https?:\/\/\S+|\bwww\.\S+|(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/\S+|(?<!\S)[^\s@]*@\S*|\+?\d[\d ()-]{8,}\d/gi;
export const FILE_ENDING = /\.(jpe?g|png|webp|hei[cf]|avif|mp4)$/i;
/** What the file of a result adds to the name of its photo, with all that follows. */
export const NAME_ADDITION = /_(Видео|Смена-модели|Смена-фона|Фотосессия|Примерка)_\d{1,6}(-\d{1,2})?(?!\d).*/s;

/**
 * The domain may be Cyrillic or in its form in ASCII: `кто@пример.рф` lacks only the letters before the «@», which mail
 * servers seldom take. A label that mixes both scripts is a mistake, or somebody who wants it taken for another.
 */
export const EMAIL_ADDRESS =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:(?:[A-Za-z0-9][A-Za-z0-9-]*|[0-9-]*[А-ЯЁа-яё][А-ЯЁа-яё0-9-]*)\.)+(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]+|[А-ЯЁа-яё]{2,})$/;
/** In texts that analytics keep. */
export const MAIL_ADDRESS = /(?<![^\s@])[^\s@]+@[^\s@]+/g;
/** In lines of the log, where addresses stand in quotes and brackets. */
export const LOGGED_MAIL_ADDRESS = /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)*[\p{L}\p{N}-]+/gu;
/** Addresses of Telegram's API contain the token. */
export const BOT_TOKEN = /\bbot\d+:[\w-]+/g;
/** The last part of these paths is secret, because it authorises calls. */
export const WEBHOOK_PATH = /(\/api\/(?:telegram\/webhook|engines\/[\w-]+)\/)[\w-]+/g;
/** What the name of a mail's file does not take from its recipient. */
export const NOT_IN_MAIL_NAME = /[^a-z0-9._]+/g;

export const SVG_START = /^\s*<(\?xml|!--|!doctype\s+svg|svg)/i;

/** A name or an address, and a port. */
export const HOST_HEADER = /^[\w.:[\]-]+$/;
export const RANGE_HEADER = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/** `/BALANCE` at the beginning of a message. */
export const BOT_COMMAND = /^\/\w+/;
/** In answers of engines. */
export const LINK = /https?:\/\/\S+/g;
/** The type of an error of fal that says which field of an order does not fit. */
export const VALIDATION_TYPE =
  /^(value_error|type_error|missing|extra|greater_than|less_than|multiple_of|sequence_too|string_|one_of|literal_error|enum|[a-z]+_(type|parsing))/;
