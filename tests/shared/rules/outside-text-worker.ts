// Runs every expression of the table over long hostile texts. It tells what comes next, so that a text that takes for ever
// is known by its expression.
import { parentPort } from 'node:worker_threads';
import * as EXPRESSIONS from '#shared/rules/outside-text.ts';

/** A text that each of them matches. Parts of it, repeated, come nearest to a match that never ends. */
const EXAMPLES: Record<keyof typeof EXPRESSIONS, readonly string[]> = {
  WHITE_SPACE: [' \t'],
  DIGITS: ['123'],
  NAME_ENDING: ['a.b.mp4'],
  LEADING_DOTS: ['..a'],
  PERSONAL_WORDS: ['https://a', 'www.a', 'a-b.c.ru/d', 'a.b@c.d', '@ab', '+7 (900) 123-45-67'],
  FILE_ENDING: ['a.jpeg', 'a.heic'],
  NAME_ADDITION: ['_Видео_1\n', '_Смена-фона_12-3 (2)'],
  EMAIL_ADDRESS: ["a.b'c@d-e.1f.ru", 'a@1я.рф', 'a@b.xn--p1ai'],
  MAIL_ADDRESS: ['a@b.c'],
  LOGGED_MAIL_ADDRESS: ["a.b'c@d-e.f"],
  BOT_TOKEN: ['bot12:a-b'],
  WEBHOOK_PATH: ['/api/engines/a-b/c', '/api/telegram/webhook/c'],
  NOT_IN_MAIL_NAME: ['@ab'],
  SVG_START: [' <!doctype  svg', '<!--'],
  HOST_HEADER: ['a.b:1'],
  RANGE_HEADER: ['bytes= 1-2 '],
  BOT_COMMAND: ['/ab'],
  LINK: ['http://a'],
  VALIDATION_TYPE: ['int_type', 'ab_parsing'],
};
/** Far more than any door takes: a search whose steps grow with the square of this does not end. */
const LENGTH = 300_000;
const CLASSES = ['a', 'A', 'я', '1', ' ', '\n', '.', '-', '_', '/', '@', ':', '(', "'", '\0', '😀'];

function* listHostileTexts(example: string): Generator<string> {
  const parts = new Set([...CLASSES, example]);
  for (let start = 0; start < example.length; start++) {
    for (const length of [1, 2]) parts.add(example.slice(start, start + length));
  }
  for (const part of parts) {
    const run = part.repeat(Math.ceil(LENGTH / part.length));
    const head = example.slice(0, Math.max(0, example.indexOf(part)));
    yield `${run}\0`;
    yield ` ${head}${run}\n!`;
  }
}

for (const [name, expression] of Object.entries(EXPRESSIONS)) {
  for (const example of EXAMPLES[name as keyof typeof EXPRESSIONS]) {
    if (example.search(expression) < 0) throw new Error(`${name} does not match its example ${example}`);
    for (const text of listHostileTexts(example)) {
      parentPort?.postMessage(`${name} over ${JSON.stringify(text.slice(0, 30))}…`);
      text.replace(expression, '');
    }
  }
}
