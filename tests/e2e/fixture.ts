import type { Page } from 'playwright/test';
import { z } from 'zod';
import { SIGNED_IN_COOKIE } from '#shared/rules/session.ts';
import type { createEngineCommands } from '#tests/slow/engines/engine-commands.ts';
import type { createPaceCommands, FIXTURE_COMMANDS } from './fixture-commands.ts';
import type { Pace } from './fixture-engine.ts';
import { askFixture } from './fixture-socket.ts';
import { PASSWORD } from './newcomer.ts';

const SESSION_COOKIE = 'podium_session';
/** An address of the site that only this file answers, with an empty page. */
const EMPTY_PAGE = '/fixture';

const newAccount = z.object({ accountId: z.int(), email: z.string(), sessionToken: z.string() });

export interface Owner {
  accountId: number;
  email: string;
}

interface NewUser {
  stars?: number;
  isPaid?: boolean;
  isVerified?: boolean;
  /** The pace of their orders. By default they are made at once. */
  pace?: Pace;
}

/** Signs a new person in without the forms, for tests that are not about registration. Their password is PASSWORD. */
export async function signInAsNew(page: Page, { pace, ...user }: NewUser = {}): Promise<Owner> {
  const account = { stars: 2, isPaid: false, isVerified: true, isAdmin: false, password: PASSWORD, ...user };
  const owner = await enter(page, await setFixture('fixture-account', account));
  if (pace) await setPace(owner, pace);
  return owner;
}

/** Signs in a new administrator whose session is confirmed. */
export async function signInAsAdmin(page: Page): Promise<Owner> {
  const account = { stars: 0, isPaid: false, isVerified: true, isAdmin: true, password: PASSWORD };
  return enter(page, await setFixture('fixture-account', account));
}

async function enter(page: Page, answer: unknown): Promise<Owner> {
  const { accountId, email, sessionToken } = newAccount.parse(answer);
  await page.route(EMPTY_PAGE, (route) =>
    // Without an icon the browser would request one.
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
  );
  await page.goto(EMPTY_PAGE);
  // While a route is set, the browser caches nothing and every request goes through Playwright.
  await page.unroute(EMPTY_PAGE);
  const url = new URL(page.url()).origin;
  await page.context().addCookies([
    { name: SESSION_COOKIE, value: sessionToken, url, httpOnly: true },
    { name: SIGNED_IN_COOKIE, value: '1', url },
  ]);
  await page.evaluate(
    (marker) => localStorage.setItem('podium.session', marker),
    JSON.stringify({ userId: accountId, name: 'person' }),
  );
  return { accountId, email };
}

/** Creates a successful payment of this account. `isTold`: open pages hear of it. */
export const creditPayment = ({ accountId }: Owner, { isTold = false } = {}) =>
  setFixture('fixture-payment', { accountId, isTold });

/** Sets the pace of the account's new and held orders. */
export const setPace = ({ accountId }: Pick<Owner, 'accountId'>, pace: Pace) =>
  setFixture('fixture-pace', { accountId, pace });

/** Ends the account's running generation before it is finished. */
export const timeOut = ({ accountId }: Owner) => setFixture('fixture-time-out', { accountId });

/** Starts a photo session that runs until it is timed out. Its one frame is then the result. */
export async function startPhotosession({ accountId }: Owner): Promise<string> {
  const answer = await setFixture('fixture-running', { accountId });
  return z.object({ generationId: z.uuid() }).parse(answer).generationId;
}

/** Loses the originals of a generation, from this position on. */
export const loseResults = (generationId: string, from = 0) => setFixture('fixture-loss', { generationId, from });

export const addVideo = ({ accountId }: Owner) => setFixture('fixture-video', { accountId });

interface Images {
  kind: 'photosession' | 'model_change';
  title: string;
  count?: number;
  width?: number;
  height?: number;
}

/** Creates finished pictures, oldest first. Several are numbered from 1. */
export function addImages(
  { accountId }: Owner,
  { kind, title, count = 1, width = 300, height = 400 }: Images,
): Promise<unknown> {
  return setFixture('fixture-images', { accountId, kind, title, count, width, height });
}

type FixtureCommand =
  | keyof typeof FIXTURE_COMMANDS
  | keyof ReturnType<typeof createPaceCommands>
  | keyof ReturnType<typeof createEngineCommands>;

/** Sends a fixture command to the running program and returns its answer. */
export async function setFixture(command: FixtureCommand, options: object): Promise<unknown> {
  const dataDir = process.env.E2E_DATA_DIR;
  if (!dataDir) throw new Error('E2E_DATA_DIR is set by playwright.config.ts');
  return askFixture(dataDir, command, options);
}
