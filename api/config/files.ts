import { createECDH, randomBytes, randomUUID, X509Certificate } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** The certificates in a file. Empty without a file. Null when it cannot be read or contains none. */
export function readAuthorities(file: string | undefined): string[] | null {
  if (file === undefined) return [];
  try {
    const found = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    // The constructor throws when it is not a certificate.
    return found?.map((certificate) => new X509Certificate(certificate).toString().trim()) ?? null;
  } catch {
    return null;
  }
}

/** `command`: a path, or a name to be found in `searchPath`. */
export function isProgram(command: string, searchPath = ''): boolean {
  const isPath = path.basename(command) !== command;
  const files = isPath ? [command] : searchPath.split(path.delimiter).map((folder) => path.join(folder, command));
  return files.some((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      // The file does not exist or is not executable for us.
      return false;
    }
  });
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The private key of a new key pair. */
export function makeVapidKey(): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // Node omits leading zeros.
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
}

/** The public key of a private one. Null when it does not belong to this curve. */
export function deriveVapidKey(privateKey: string): string | null {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(privateKey, 'base64url');
  } catch {
    return null;
  }
  return pair.getPublicKey('base64url');
}

/** Creates the folder if needed. Returns what prevents that, or null. */
function makeFolder(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code = String(error), path: where = folder } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') return `and ${where} is no folder`;
    return ['EACCES', 'EPERM', 'EROFS'].includes(code) ? `where ${where} may not be written to` : code;
  }
}

export function secretFile(dataDir: string, name: string): string {
  return path.join(dataDir, 'secrets', name);
}

/** The file appears with its content: a program that starts at the same moment never reads a part of it. */
function makeSecretFile(file: string, secret: string): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, secret, { flag: 'wx', mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    // The other program was faster, and its secret counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** What reading the settings may do to DATA_DIR. */
export interface DataFolder {
  /** Returns what prevents the folder from being used, or null. */
  prepare(folder: string): string | null;
  readSecret(dataDir: string, name: string, make?: () => string): string;
}

/** For a start: the folder and the secrets are made when they are missing. */
export const MADE_WHEN_MISSING: DataFolder = { prepare: makeFolder, readSecret: readOrMakeSecret };

/** For a look at the settings: nothing is made. A secret that cannot be read gets a value that nobody keeps. */
export const UNTOUCHED_DATA_FOLDER: DataFolder = {
  prepare: (folder) => (existsSync(folder) ? makeFolder(folder) : 'which does not exist'),
  readSecret(dataDir, name, make = makeSecret) {
    try {
      return readFileSync(secretFile(dataDir, name), 'utf8').trim();
    } catch {
      return make();
    }
  },
};

/** A secret of the embedded parts: generated once, then read from DATA_DIR. */
function readOrMakeSecret(dataDir: string, name: string, make: () => string = makeSecret): string {
  const file = secretFile(dataDir, name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(file)) chmodSync(file, 0o600);
  else makeSecretFile(file, make());
  return readFileSync(file, 'utf8').trim();
}
