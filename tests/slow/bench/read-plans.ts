import { chmodSync, closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';

const FILE = 'plans.log';
const MARK = /^select 'mark /;
const LOOK_EVERY_MS = 10;
/** A table this small is read whole at any size, and rightly so. */
const SMALL_TABLE_ROWS = 500;

/** A node of EXPLAIN (FORMAT JSON). */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  /** Of a node that writes. */
  Operation?: string | undefined;
  'Parent Relationship'?: string | undefined;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[] | undefined;
}
const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    Operation: z.string().optional(),
    'Parent Relationship': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Shared Hit Blocks': z.number(),
    'Shared Read Blocks': z.number(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.object({ 'Query Text': z.string(), Plan: planNode });

export interface Statement {
  text: string;
  /** Pages that it has read, without those of the catalogue for a sort. */
  pages: number;
  /** How often an index was gone through: searched, or written into. */
  lookUps: number;
  /** The nodes of its plan, and the indexes that they use. */
  plan: string;
  /** Tables that were read whole. */
  scanned: string[];
}

/**
 * Reads what PostgreSQL has explained in its log (auto_explain: EXPLAIN with ANALYZE and BUFFERS) of every statement
 * that it has really run.
 */
export class PlanLog {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'podium-plans-'));
  /** How many indexes each table has. A new version of a row may go into all of them. */
  readonly #indexes = new Map<string, number>();
  #marker: pg.Client | undefined;
  #marks = 0;

  constructor() {
    // PostgreSQL may run as another user.
    chmodSync(this.#folder, 0o777);
  }

  /** The settings of a server that explains its statements into this log. */
  get settings(): Record<string, string | number> {
    return {
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': 0,
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_buffers': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_format': 'json',
      'auto_explain.log_nested_statements': 'on',
      logging_collector: 'on',
      log_directory: this.#folder,
      log_filename: FILE,
      log_rotation_size: 0,
      log_rotation_age: 0,
      log_line_prefix: '%a§',
    };
  }

  async connect(databaseUrl: string | undefined): Promise<void> {
    this.#marker = new pg.Client({ connectionString: databaseUrl });
    await this.#marker.connect();
    const { rows } = await this.#marker.query<{ table: string; count: number }>(
      "select tablename as table, count(*)::int as count from pg_indexes where schemaname in ('public', 'pgboss') group by 1",
    );
    for (const { table, count } of rows) this.#indexes.set(table, count);
  }

  /** The statements that `run` has caused, in their order. `isMeant` leaves out those of others. */
  async read(run: () => Promise<unknown>, isMeant: (text: string) => boolean): Promise<Statement[]> {
    const begin = await this.#mark();
    await run();
    const text = this.#readFrom(begin, await this.#mark());
    const plans = [...text.matchAll(/§LOG: {2}duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g)]
      .map(([, json = '']) => explained.parse(JSON.parse(json)))
      .filter((plan) => !MARK.test(plan['Query Text']) && isMeant(plan['Query Text']));
    if (plans.length === 0) throw new Error(`PostgreSQL explained nothing:\n${text.slice(0, 2000)}`);
    return plans.map(({ Plan, 'Query Text': text }) => ({
      text: text.replaceAll(/\s+/g, ' '),
      pages: pagesOf(Plan) - pagesOfSorts(Plan),
      lookUps: countLookUps(Plan, this.#indexes),
      plan: describePlan(Plan),
      scanned: listScanned(Plan),
    }));
  }

  async remove(): Promise<void> {
    await this.#marker?.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Runs a statement that is found again in the log, and returns where its entry begins. Everything that ran before it
   * stands before it: a server writes down a statement before it answers.
   */
  async #mark(): Promise<number> {
    const from = this.#size;
    const mark = `select 'mark ${++this.#marks}'`;
    await this.#marker?.query(mark);
    for (;;) {
      const text = this.#readFrom(from, this.#size);
      const place = text.indexOf(mark);
      if (place >= 0) return from + text.lastIndexOf('LOG:', place);
      await wait(LOOK_EVERY_MS);
    }
  }

  get #size(): number {
    return statSync(path.join(this.#folder, FILE)).size;
  }

  #readFrom(begin: number, end: number): string {
    const file = openSync(path.join(this.#folder, FILE), 'r');
    const content = Buffer.alloc(end - begin);
    readSync(file, content, 0, content.length, begin);
    closeSync(file);
    // A place in the text is a place in the file.
    return content.toString('latin1');
  }
}

function describePlan(node: PlanNode): string {
  const own = [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');
  return [own, ...(node.Plans ?? []).map((child) => describePlan(child))].join(' < ');
}

/** Pages that the sorts of a plan have read themselves: the catalogue, which a connection looks up at its first sort. */
function pagesOfSorts(node: PlanNode): number {
  const children = node.Plans ?? [];
  const isSort = node['Node Type'].endsWith('Sort');
  const own = isSort ? pagesOf(node) - sum(children.map(pagesOf)) : 0;
  return own + sum(children.map(pagesOfSorts));
}

/** Of the node and those below it. */
function pagesOf(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks'];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function countLookUps(node: PlanNode, indexes: ReadonlyMap<string, number>): number {
  const children = node.Plans ?? [];
  const searched = node['Index Name'] === undefined ? 0 : node['Actual Loops'];
  const writes = node.Operation === 'Insert' || node.Operation === 'Update';
  const written = writes ? children.filter((child) => child['Parent Relationship'] === 'Outer') : [];
  const rows = written.reduce((sum, child) => sum + child['Actual Rows'] * child['Actual Loops'], 0);
  const own = searched + rows * (indexes.get(node['Relation Name'] ?? '') ?? 0);
  return children.reduce((sum, child) => sum + countLookUps(child, indexes), own);
}

function listScanned(node: PlanNode): string[] {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const table = node['Relation Name'] ?? 'a table';
  const isWhole = node['Node Type'] === 'Seq Scan' && rows > SMALL_TABLE_ROWS;
  return [...(isWhole ? [table] : []), ...(node.Plans ?? []).flatMap((child) => listScanned(child))];
}
