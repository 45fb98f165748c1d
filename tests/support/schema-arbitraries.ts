import fc from 'fast-check';
import { z } from 'zod';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { PASSWORD } from './users.ts';

/** The parts of JSON Schema that zod writes for the contract. */
interface JsonSchema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | false;
  required?: string[];
  items?: JsonSchema;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
}

/** Values that have broken programs: for a field, or a part of an address. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202e',
  '\u0000'.repeat(40),
  'я'.repeat(5000),
  '💥'.repeat(300),
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(400),
  '0x10',
  '١٢٣',
  "' or 1=1 --",
  '%00',
  '../../etc/passwd',
  '..\\..\\secrets',
  '//evil.example',
  'javascript:alert(1)',
  '%',
  '\\',
  '=1+1',
  '<script>',
  '\r\nSet-Cookie: a=b',
  '2026-02-30',
  '0000-00-00',
  '275760-09-14',
  '{}',
  '[]',
];
export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);
const hostileNumber = fc.oneof(
  fc.constantFrom(-1, 0, -0, 0.1, 1e21, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 31) - 1),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const hostileLeaf = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { length: 1e9 }, { toString: 1 }),
);
/** Any value that JSON can carry, with keys that JavaScript treats specially. */
export const hostileValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileLeaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString'), hostileText), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

const nest = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
/** Bodies as bytes on the wire, which JSON.stringify would never write. */
export const HOSTILE_BODIES: Record<string, string> = {
  'arrays 5,000 deep': nest('[', ']', 5000),
  'objects 5,000 deep': nest('{"a":', '}', 5000),
  'a field 5,000 deep': `{"settings":${nest('[', ']', 5000)}}`,
  'an array that never ends': '['.repeat(5000),
  'an array of 30,000': `[${'1,'.repeat(29_999)}1]`,
  'an object of 5,000 fields': `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join()}}`,
  'a text of 60,000 letters': `{"email":"${'a'.repeat(60_000)}"}`,
  'a body over the limit': `"${'a'.repeat(70_000)}"`,
  'a prototype': '{"__proto__":{"isAdmin":true},"isAdmin":true}',
  'a hidden prototype': '{"\\u005f_proto__":{"isAdmin":true}}',
  'a constructor': '{"constructor":{"prototype":{"isAdmin":true}}}',
  'a field twice': '{"email":"a@b.ru","email":["x"],"password":1,"password":{}}',
  'an infinite number': '{"limit":1e999,"id":-1e999,"rating":1e999,"delta":1e999}',
  'NUL in a value': '{"email":"a\\u0000@b.ru","password":"\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000"}',
  'NUL in a name': '{"a\\u0000":1}',
  'half a surrogate': '{"email":"\\ud800@b.ru","username":"\\udfff","prompt":"\\ud83d"}',
  'a bare NUL': '{"a":"\0"}',
  'no JSON': '{"a":',
  'a comment': '/* */{}',
  nothing: '',
  null: 'null',
  'a number': '1',
  'a text': '"text"',
  'an array': '[]',
  'an object': '{}',
};

/** Names of fields whose form the schema does not tell. */
const BY_NAME: [pattern: RegExp, values: fc.Arbitrary<string>][] = [
  [/password/i, fc.constantFrom(PASSWORD, 'another-password', 'qwerty', 'x')],
  [/email/i, fc.integer({ min: 0 }).map((number) => `fuzz-${number}@example.com`)],
  [/^(verificationC|c)ode$/, fc.stringMatching(/^[A-Z0-9]{6}$/)],
  [/version$/i, fc.constantFrom(DOCUMENTS_VERSION, TRANSFER_VERSION, '2020-01-01')],
  [
    /ImageUrl$/,
    fc.constantFrom('/attached_assets/woman/w1.webp', '/backgrounds/dunes.webp', 'https://evil.example/a.png'),
  ],
  [/^provider$/, fc.constantFrom('sandbox', 'yookassa', 'tbank')],
  [/Date$|^date$/, fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))],
];
const ID_NAME = /^ids?$|Ids?$|_id$|^cursor$/;

/** Values that fit the schema. Fields that look like an id take one of `ids`. */
export function arbitraryOf(schema: z.core.$ZodType, ids: readonly string[]): fc.Arbitrary<unknown> {
  return toArbitrary(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, ids, '');
}

/** Values of the schema with one part that does not fit: a field missing, added, or replaced. */
export function nearlyOf(schema: z.core.$ZodType, ids: readonly string[]): fc.Arbitrary<unknown> {
  return fc
    .tuple(arbitraryOf(schema, ids), hostileValue, fc.nat(), fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, hostile, at, how]) => spoil(value, { hostile, at, how }));
}

type Spoiling = { hostile: unknown; at: number; how: 'replace' | 'remove' | 'add' };

function spoil(value: unknown, { hostile, at, how }: Spoiling): unknown {
  if (typeof value !== 'object' || value === null) return hostile;
  const entries = Object.entries(value);
  const [name, inner] = entries[at % Math.max(entries.length, 1)] ?? ['', undefined];
  if (how === 'add' || entries.length === 0) return { ...value, [`unknown${at % 7}`]: hostile };
  if (Array.isArray(value)) return value.with(at % value.length, hostile);
  if (how === 'remove') return Object.fromEntries(entries.filter(([key]) => key !== name));
  const isInside = typeof inner === 'object' && inner !== null && at % 2 === 0;
  return { ...value, [name]: isInside ? spoil(inner, { hostile, at: at >> 1, how }) : hostile };
}

function toArbitrary(schema: JsonSchema, ids: readonly string[], name: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => toArbitrary(choice, ids, name)));
  switch (schema.type) {
    case 'object':
      return toObject(schema, ids);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 5 } = schema;
      return fc.array(toArbitrary(items, ids, name), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 5)),
      });
    }
    case 'string':
      return toText(schema, ids, name);
    case 'integer':
      if (ID_NAME.test(name)) return fc.constantFrom(...ids.map(Number).filter(Number.isSafeInteger));
      return fc.integer({ min: Math.max(schema.minimum ?? -1000, -1e9), max: Math.min(schema.maximum ?? 1000, 1e9) });
    case 'number':
      return fc
        .integer({
          min: (schema.minimum ?? schema.exclusiveMinimum ?? 0) * 100,
          max: Math.min(schema.maximum ?? 1000, 1e6) * 100,
        })
        .map((hundredths) => hundredths / 100);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return hostileValue;
  }
}

function toObject({ properties = {}, required = [], additionalProperties }: JsonSchema, ids: readonly string[]) {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, toArbitrary(schema, ids, name)]),
  );
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields), noNullPrototype: true });
  if (!additionalProperties || Object.keys(fields).length > 0) return known;
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), toArbitrary(additionalProperties, ids, ''), {
    maxKeys: 4,
    noNullPrototype: true,
  });
}

function toText({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema, ids: readonly string[], name: string) {
  if (ID_NAME.test(name)) return fc.constantFrom(...ids);
  if (name === 'url') return fc.constantFrom(...ids).map((id) => `/media/results/${id}/0/image`);
  const named = BY_NAME.find(([wanted]) => wanted.test(name));
  if (named) return named[1];
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

/** A value as it stands in a query or a form, where everything is text. */
export function toPlainText(value: unknown): string {
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed();
}
