import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine, SchemaFilter } from '@prisma/schema-engine-wasm';

export const MIGRATIONS_DIR = path.join(import.meta.dirname, 'migrations');
export const NO_FILTERS: SchemaFilter = { externalTables: [], externalEnums: [] };

/** Node has this global, but its types do not declare it. */
declare const WebAssembly: {
  instantiate(bytes: Buffer, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

type EngineModule = { SchemaEngine: typeof SchemaEngine };
let loading: Promise<EngineModule> | undefined;

/** The version that `loadEngine` was written for. Before an update, compare the package's own loader. */
export const WRITTEN_FOR = { '@prisma/schema-engine-wasm': '7.10.0-4.0edf323efd1d98336f3f0a68684b56f689b900d3' };

/** The JavaScript that wasm-bindgen generates for the binary. None of it is documented. */
interface EngineGlue extends EngineModule {
  __wbg_set_wasm(exports: object): void;
}

/**
 * Loads Prisma's schema engine as WebAssembly. The package's own loader needs a bundler, so it is instantiated here.
 */
async function loadEngine(): Promise<EngineModule> {
  const require = createRequire(import.meta.url);
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm'));
  // The glue module holds one instance of the binary. A unique query gives each evaluation of this file its own copy: a
  // test runner evaluates it several times.
  const glue: EngineGlue = await import(`${pathToFileURL(path.join(folder, 'schema_engine_bg.js'))}?${randomUUID()}`);
  const { instance } = await WebAssembly.instantiate(await readFile(path.join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': glue,
  });
  const start = instance.exports.__wbindgen_start;
  if (typeof glue.__wbg_set_wasm !== 'function' || typeof start !== 'function') {
    throw new Error(`Prisma's schema engine starts otherwise than in ${WRITTEN_FOR['@prisma/schema-engine-wasm']}`);
  }
  glue.__wbg_set_wasm(instance.exports);
  start();
  return glue;
}

/** Runs `work` with an engine on the connections of `factory`, then releases them. */
export async function withSchemaEngine<T>(
  factory: SqlMigrationAwareDriverAdapterFactory,
  datamodels: [string, string][] | undefined,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= loadEngine();
  const { SchemaEngine } = await loading;
  const opened: SqlDriverAdapter[] = [];
  // The engine leaves its connections open, and with them the advisory lock of the migration.
  const tracked: SqlMigrationAwareDriverAdapterFactory = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      opened.push(adapter);
      return adapter;
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
  const engine = await SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(tracked));
  try {
    return await work(engine);
  } finally {
    engine.free();
    await Promise.all(opened.map((adapter) => adapter.dispose()));
  }
}

/** The migrations of a folder, oldest first, in the engine's format. */
export async function readMigrations(folder = MIGRATIONS_DIR): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir: folder,
    shadowDbInitScript: '',
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(path.join(folder, 'migration_lock.toml'), 'utf8'),
    },
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await readFile(path.join(folder, name, 'migration.sql'), 'utf8') },
        },
      })),
    ),
  };
}
