// Which built-ins of JavaScript and the web a file of code uses that the oldest supported browsers lack.
import data from '@mdn/browser-compat-data' with { type: 'json' };
import type { CompatStatement, Identifier as Feature, SimpleSupportStatement } from '@mdn/browser-compat-data/types';
import { type AnyNode, type MemberExpression, parse } from 'acorn';
import { fullAncestor } from 'acorn-walk';
import { OLDEST_BROWSERS } from '#pwa/browsers.ts';

/** The names of browsers in the data. A phone's Chrome and Firefox have the versions of a computer's. */
const BROWSERS = [
  ['chrome', OLDEST_BROWSERS.chrome],
  ['chrome_android', OLDEST_BROWSERS.chrome],
  ['firefox', OLDEST_BROWSERS.firefox],
  ['firefox_android', OLDEST_BROWSERS.firefox],
  ['safari', OLDEST_BROWSERS.safari],
  ['safari_ios', OLDEST_BROWSERS.ios],
] as const;
/** The newest syntax that all of them read. Beyond its year acorn refuses a file. */
const SYNTAX = 2022;
/** Global objects and their interfaces. */
const INSTANCES: Record<string, string> = {
  navigator: 'Navigator',
  document: 'Document',
  location: 'Location',
  history: 'History',
  performance: 'Performance',
  crypto: 'Crypto',
  caches: 'CacheStorage',
  screen: 'Screen',
};
const GLOBALS = new Set(['globalThis', 'window', 'self']);
/** Methods that answer an iterator, and not an array. */
const ITERATING = new Set(['keys', 'values', 'entries', 'matchAll']);

export interface MissingBuiltIn {
  name: string;
  browsers: string[];
  /** The code around it. */
  excerpt: string;
}

const { builtins } = data.javascript as unknown as { builtins: Record<string, Feature> };
const BUILT_INS = { ...builtins, ...builtins.Intl } as Record<string, Feature>;
const WEB = data.api as unknown as Record<string, Feature>;
/** All methods and properties of all interfaces, by their name. Drafts that no browser agrees on have common words. */
const METHODS = groupByMember();

/**
 * Lists what the code needs. A member is judged by its object where that is a global (`URL.parse`); otherwise a called
 * member counts as missing when no interface has one of this name in the oldest browsers. Throws a SyntaxError for syntax
 * that they cannot read.
 */
export function findMissingBuiltIns(code: string): MissingBuiltIn[] {
  const found: MissingBuiltIn[] = [];
  const asked = new Set<AnyNode>();
  const judge = (name: string, candidates: readonly CompatStatement[], node: AnyNode) => {
    const lacking = candidates.map(listLacking);
    if (asked.has(node) || lacking.length === 0 || lacking.some((browsers) => browsers.length === 0)) return;
    const browsers = lacking.reduce((least, next) => (next.length < least.length ? next : least));
    const excerpt = code.slice(Math.max(0, node.start - 30), node.end + 30).replaceAll(/\s+/g, ' ');
    found.push({ name, browsers, excerpt });
  };
  fullAncestor(parse(code, { ecmaVersion: SYNTAX, sourceType: 'module' }), (given, _state, ancestors) => {
    const node = given as AnyNode;
    const parent = ancestors.at(-2) as AnyNode | undefined;
    // `something.built?.()` and `typeof Built`.
    if (parent?.type === 'CallExpression' && parent.optional) asked.add(node);
    if (parent?.type === 'UnaryExpression' && parent.operator === 'typeof') asked.add(node);
    if (node.type === 'Identifier') judge(node.name, statementsOf(null, node.name), node);
    if (node.type !== 'MemberExpression') return;
    const member = readMember(node);
    if (member === null) return;
    const owner = readGlobal(node.object);
    if (owner !== null) judge(`${owner}.${member}`, statementsOf(owner, member), node);
    else if (isIterator(node.object)) judge(`Iterator.${member}`, statementsOf('Iterator', member), node);
    else if (parent?.type === 'CallExpression' && parent.callee === node)
      judge(member, METHODS.get(member) ?? [], node);
  });
  return found;
}

/** The name of the global that the expression is: `URL`, `globalThis.URL`, `navigator`. Null for anything else. */
function readGlobal(node: AnyNode): string | null {
  if (node.type === 'MemberExpression') {
    const owner = readGlobal(node.object);
    return owner !== null && GLOBALS.has(owner) ? readMember(node) : null;
  }
  if (node.type !== 'Identifier') return null;
  return GLOBALS.has(node.name) || node.name in INSTANCES || isInterface(node.name) ? node.name : null;
}

function isInterface(name: string): boolean {
  return Object.hasOwn(BUILT_INS, name) || (Object.hasOwn(WEB, name) && /^[A-Z]/.test(name));
}

function readMember({ property, computed }: MemberExpression): string | null {
  if (!computed) return property.type === 'Identifier' ? property.name : null;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}

/** Whether the expression is `map.values()` and the like. `Object.values(x)` has an argument and answers an array. */
function isIterator(node: AnyNode): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const member = readMember(node.callee);
  return member === 'matchAll' || (ITERATING.has(member ?? '') && node.arguments.length === 0);
}

/** What the data say of a member of this global, or of a global when there is no owner. */
function statementsOf(owner: string | null, member: string): CompatStatement[] {
  if (owner === null || GLOBALS.has(owner)) {
    return collect([BUILT_INS[member], WEB[member], WEB.Window?.[member]]);
  }
  const owners = [BUILT_INS[owner], WEB[INSTANCES[owner] ?? owner]];
  return collect(owners.flatMap((known) => [known?.[`${member}_static`], known?.[member]] as (Feature | undefined)[]));
}

function groupByMember(): Map<string, CompatStatement[]> {
  const members = [...Object.values(BUILT_INS), ...Object.values(WEB)].flatMap(
    (known) => Object.entries(known) as [string, Feature][],
  );
  const agreed = members.filter(
    ([, { __compat }]) => __compat?.status?.standard_track && !__compat.status.experimental,
  );
  const groups = Map.groupBy(agreed, ([name]) => name.replace(/_static$/, ''));
  return new Map([...groups].map(([name, features]) => [name, collect(features.map(([, feature]) => feature))]));
}

function collect(features: readonly (Feature | undefined)[]): CompatStatement[] {
  return features.flatMap((feature) => feature?.__compat ?? []);
}

/** The oldest browsers that do not have it as it is specified. */
function listLacking({ support }: CompatStatement): string[] {
  return BROWSERS.flatMap(([name, version]) => {
    const statements = [support[name] ?? []].flat();
    return statements.some((statement) => isIn(statement, version)) ? [] : [`${name} ${version}`];
  });
}

function isIn(
  { version_added, version_removed, flags, prefix, alternative_name }: SimpleSupportStatement,
  version: string,
) {
  if (typeof version_added !== 'string' || flags || prefix || alternative_name) return false;
  const added = version_added.replace('≤', '');
  return compare(added, version) <= 0 && (!version_removed || compare(String(version_removed), version) > 0);
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
