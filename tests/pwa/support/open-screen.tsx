import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter, type RouteObject } from 'react-router-dom';
import { expect, vi } from 'vitest';
import { App } from '#pwa/app/app.tsx';
import { Pages } from '#pwa/app/pages.tsx';
import { loadBackgroundParts } from '#pwa/app/root-layout.tsx';
import { createRouteObjects, loadPage } from '#pwa/app/route-objects.tsx';
import { forgetPersistedQueries } from '#pwa/client/persisted-queries.ts';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { dismissToast, shownToast } from '#pwa/components/toast.ts';
import { connection } from '#pwa/device/connection.ts';
import { openPath } from '#pwa/device/open-path.ts';
import { purgeStored, removeStored, writeStored } from '#pwa/device/storage.ts';
import { type Consent, cookieConsent, cookieRequests } from '#pwa/features/consent/consent.ts';
import { CONSENT_KEY, loadConsent } from '#pwa/features/consent/consent-storage.ts';
import { closeConsentRequest } from '#pwa/features/consent/document-consent.ts';
import { closeBuyStars } from '#pwa/features/generations/buy-stars.ts';
import {
  endLogout,
  isSessionLikely,
  readSessionTrace,
  removeSessionMarker,
  writeSessionMarker,
} from '#pwa/features/session/session-marker.ts';
import { noteLeftByChoice } from '#pwa/features/session/session-memory.ts';
import { ensureTools, toolsQuery } from '#pwa/features/tools/tools.ts';
import { getPremiumStatus, getUser, type User } from '#shared/contract/account.ts';
import { recordEvent } from '#shared/contract/analytics.ts';
import { listBatches } from '#shared/contract/batches.ts';
import { getCatalogue } from '#shared/contract/catalogue.ts';
import { downloadImage } from '#shared/contract/downloads.ts';
import type { StreamEvent, StreamEventData } from '#shared/contract/events.ts';
import { downloadArchive, listGallery, listResults } from '#shared/contract/gallery.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import { getUnseen, markSeen } from '#shared/contract/notifications.ts';
import { getOperator } from '#shared/contract/operator.ts';
import {
  getLastInvoice,
  listPaymentProviders,
  listStarPackages,
  listUnpaidInvoices,
} from '#shared/contract/payments.ts';
import { getPhoto, listPhotos } from '#shared/contract/photos.ts';
import { listProducts } from '#shared/contract/products.ts';
import { countOpenReports } from '#shared/contract/result-reports.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { getToolSettings } from '#shared/contract/tool-settings.ts';
import { getToolAbilities, getToolOffer } from '#shared/contract/tools.ts';
import { getPhotoSubject, uploadPhoto } from '#shared/contract/uploads.ts';
import { listActiveGenerations, listVideos } from '#shared/contract/videos.ts';
import { until } from '#tests/support/until.ts';
import { type ContractServer, startContractServer } from './contract-server.ts';
import {
  BACKGROUND,
  FREE,
  GENERATIVE_TOOLS,
  MODEL,
  OPERATOR,
  PACKAGES,
  PHOTO,
  photoFile,
  sampleGallery,
  sampleOffer,
  sampleResults,
  USER,
} from './samples.ts';

export const ORIGIN = 'https://podium.test';
/** A busy machine may take this long to load the code of a page or of a part of it. */
const LOADING = { timeout: 60_000 };

export interface ScreenOptions {
  /** Null when nobody is signed in. */
  user?: User | null;
  consent?: Consent | null;
  /** Replaces usual answers before the page is opened. What it returns is awaited. */
  prepare?: (server: ContractServer) => unknown;
}

export interface Screen {
  server: ContractServer;
  /** Waits for the control of this role and name and presses it. `place` is a selector. */
  press: (role: Control, name: string | RegExp, place?: string) => Promise<void>;
  /** Presses it twice before the page can be drawn again. */
  pressTwice: (role: Control, name: string | RegExp, place?: string) => Promise<void>;
  /** Replaces the text of a field. */
  fill: (label: string, text: string) => Promise<void>;
  key: (keys: string) => Promise<void>;
  /** Chooses a file in the page's own chooser. */
  choose: (file: File) => Promise<void>;
  /** Chooses a photo that the server takes, and waits until it is on the form. */
  choosePhoto: () => Promise<void>;
  hover: (role: Control, name: string | RegExp) => Promise<void>;
  /** Waits for the control that `press` would press. */
  find: <R extends Control>(role: R, name: string | RegExp, place?: string) => Promise<ControlElement<R>>;
  /** Sends an event of the account, once the page follows them. */
  sendEvent: (event: StreamEvent, data?: StreamEventData) => Promise<void>;
  /** Opens another page in the same visit. */
  go: (address: string) => Promise<void>;
  /** Loads the page again, at this address or the current one. Only stored data and the server's answers remain. */
  reload: (address?: string) => Promise<void>;
}

/** Opens a page of the program as a browser does, with the contract server as its network. `closeScreen` ends it. */
export async function openScreen(
  address: string,
  { user = USER, consent = 'declined', prepare }: ScreenOptions = {},
): Promise<Screen> {
  supplyBrowser();
  const server = startContractServer();
  current = server;
  answerUsually(server, user);
  // The program gives a database two seconds to open; once it is open, it stays so.
  await vi.waitFor(
    () => (consent ? writeStored('device', CONSENT_KEY, consent) : removeStored('device', CONSENT_KEY)),
    LOADING,
  );
  await prepare?.(server);
  cookieConsent.set(consent);
  if (user) writeSessionMarker({ userId: user.id, name: 'Анна Ким' });
  let routes = await startPage(address);
  const events = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  async function choose(file: File): Promise<void> {
    const input = await findControl('file', '');
    await act(async () => fireEvent.change(input, { target: { files: [file] } }));
  }
  return {
    server,
    press: async (role, name, place) => events.click(await findControl(role, name, place)),
    async pressTwice(role, name, place) {
      const control = await findControl(role, name, place);
      await act(async () => {
        control.click();
        control.click();
      });
    },
    hover: async (role, name) => events.hover(await findControl(role, name)),
    find: findControl,
    async fill(label, text) {
      const field = await findControl('field', label);
      await events.clear(field);
      if (text !== '') await events.type(field, text);
    },
    key: (keys) => events.keyboard(keys),
    choose,
    async choosePhoto() {
      await choose(photoFile('платье-1200x1600.jpg'));
      await untilShown(PHOTO.name, 'main');
    },
    async sendEvent(event, data = {}) {
      const source = stream ?? (await until(() => stream ?? fail('the page does not follow events')));
      await act(async () => void source.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) })));
    },
    async go(next) {
      await loadPage(routes, new URL(next, ORIGIN).pathname);
      await act(async () => openPath(next));
    },
    async reload(next = location.pathname + location.search) {
      cleanup();
      await loadConsent();
      routes = await startPage(next);
    },
  };
}

/** Does what the start of the program does. */
async function startPage(address: string): Promise<RouteObject[]> {
  forgetPage();
  setAddress(address);
  const queryClient = createQueryClient();
  await ensureTools(queryClient);
  // The program draws its page without an answer that takes more than a moment, as it may on a busy machine.
  await queryClient.ensureQueryData(toolsQuery);
  const isSignedIn = isSessionLikely(readSessionTrace());
  const routes = createRouteObjects();
  await Promise.all([loadPage(routes, location.pathname), isSignedIn && loadBackgroundParts()]);
  render(
    <App queryClient={queryClient}>
      <BrowserRouter>
        <Pages routes={routes} />
      </BrowserRouter>
    </App>,
  );
  return routes;
}

/** Clears the state of modules, which a new page does not have. */
function forgetPage(): void {
  const shown = shownToast.get();
  if (shown) dismissToast(shown.id);
  closeBuyStars();
  closeConsentRequest();
  connection.set(true);
  cookieRequests.set(0);
  noteLeftByChoice(false);
  // A new page does not know yet that nobody is signed in. Writing a marker resets that knowledge.
  const marker = localStorage.getItem(MARKER_KEY);
  writeSessionMarker({ userId: 0, name: '' });
  if (marker === null) localStorage.removeItem(MARKER_KEY);
  else localStorage.setItem(MARKER_KEY, marker);
}

export const MARKER_KEY = 'podium.session';

const CONTROLS = {
  button: 'button, [role=button]',
  link: 'a[href]',
  radio: '[role=radio]',
  tab: '[role=tab]',
  menuitem: '[role=menuitem]',
  checkbox: 'input[type=checkbox]',
  field: 'input:not([type=file]), textarea',
  file: 'input[type=file]',
};
type Control = keyof typeof CONTROLS;
type ControlElement<R extends Control> = R extends 'field' | 'checkbox' | 'file' ? HTMLInputElement : HTMLElement;

/** The first match. Some controls are in the document twice, and the width decides which one is shown. */
function findControl<R extends Control>(role: R, name: string | RegExp, place = 'body'): Promise<ControlElement<R>> {
  const isMeant = (element: Element) => {
    if (role === 'file') return true;
    const actual = nameControl(element);
    return isReachable(element) && (typeof name === 'string' ? actual === name : name.test(actual));
  };
  return vi.waitFor(() => {
    const found = [...document.querySelectorAll<ControlElement<R>>(CONTROLS[role])].find(
      (one) => one.closest(place) && isMeant(one),
    );
    return found ?? fail(`there is no ${role} «${name}» in ${place}: ${clean(document.body.textContent ?? '')}`);
  }, LOADING);
}

/** What stands behind an open dialog or is hidden. */
const OUT_OF_REACH = '[aria-hidden=true], [inert], [hidden]';

/** Whether a person could use it: not behind an open dialog, hidden or disabled. */
function isReachable(element: Element): boolean {
  return !element.closest(OUT_OF_REACH) && !element.matches(':disabled');
}

function nameControl(element: Element): string {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const labels = isField ? [...(element.labels ?? [])] : [];
  const labelled = labels.map(({ textContent }) => textContent).join(' ');
  return clean(element.getAttribute('aria-label') || labelled || (element.textContent ?? ''));
}

function fail(message: string): never {
  throw new Error(message);
}

/** The button of this name, also a disabled one. */
export function readButton(name: string | RegExp, place = 'body'): HTMLButtonElement {
  const found = [...document.querySelectorAll<HTMLButtonElement>(`${place} button`)].find((button) => {
    const actual = clean(button.textContent);
    return typeof name === 'string' ? actual === name : name.test(actual);
  });
  return found ?? fail(`there is no button «${name}» in ${place}: ${readText(place)}`);
}

/** The browser cannot play the video that is shown. */
export async function failPlayback(): Promise<void> {
  const video = await until(() => document.querySelector('video') ?? fail('no video is shown'));
  await act(async () => fireEvent.error(video));
}

/** Lets `vi.advanceTimersByTimeAsync` skip time on a running clock. Call it before the page is opened. */
export function letTimeBeSkipped(): void {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
  vi.useFakeTimers({ toFake: [...toFake], shouldAdvanceTime: true });
}

let current: ContractServer | null = null;
/** The page's open stream of events. */
let stream: EventTarget | null = null;

/** Ends the visit and removes its traces. Throws when the page made a call that had no answer. */
export async function closeScreen(): Promise<void> {
  cleanup();
  forgetPage();
  forgetPersistedQueries();
  cookieConsent.set(null);
  removeSessionMarker();
  endLogout();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  await Promise.all([purgeStored(USER.id), purgeStored('device')]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  const faults = current?.faults ?? [];
  current = null;
  stream = null;
  if (faults.length > 0) throw new Error(`the page has asked what the server does not know: ${faults.join('; ')}`);
}

/** Answers the calls that pages make on their own, for an account without generations and purchases. */
function answerUsually(server: ContractServer, user: User | null): void {
  if (user) server.answer(getUser, user);
  else server.refuse(getUser, 'unauthorized');
  server.answer(getStarBalance, { balance: 12 });
  server.answer(getPremiumStatus, FREE);
  server.refuse(downloadImage, 'premium_required');
  server.refuse(downloadArchive, 'premium_required');
  server.answer(listActiveGenerations, { activeGenerations: [] });
  server.answer(listBatches, { batches: [], nextCursor: null });
  server.answer(countOpenReports, { count: 0 });
  server.answer(listGallery, sampleGallery([]));
  server.answer(listResults, sampleResults([]));
  server.answer(listVideos, { videos: [], nextCursor: null });
  server.refuse(getGeneration, 'generation_not_found');
  server.answer(listUnpaidInvoices, { invoices: [] });
  server.answer(getLastInvoice, { invoice: null });
  server.answer(listStarPackages, PACKAGES);
  server.answer(getOperator, OPERATOR);
  server.answer(listPaymentProviders, { providers: ['yookassa'] });
  server.answer(getToolAbilities, GENERATIVE_TOOLS);
  server.answer(getToolOffer, sampleOffer());
  server.answer(getToolSettings, { last: {}, sets: [] });
  server.answer(getCatalogue, { models: [MODEL], backgrounds: [BACKGROUND] });
  server.answer(listPhotos, { photos: [], nextCursor: null, total: 0, usedBytes: 0, limitBytes: 300 * 1024 ** 2 });
  server.answer(listProducts, { products: [], nextCursor: null });
  // What a page knows of its photo stays.
  server.refuse(getPhoto, 'photo_not_found');
  server.answer(getPhotoSubject, { subject: 'unknown' });
  server.answer(uploadPhoto, PHOTO);
  server.answer(recordEvent, undefined);
  server.answer(markSeen, { unseen: 0 });
  server.answer(getUnseen, { unseen: 0, results: [] });
}

/** Adds browser features that pages use and happy-dom lacks. */
function supplyBrowser(): void {
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      constructor() {
        super();
        stream = this;
      }
      close() {
        if (stream === this) stream = null;
      }
    },
  );
  vi.stubGlobal('createImageBitmap', async ({ name }: File) => {
    const [, width, height] = /(\d+)x(\d+)/.exec(name) ?? [];
    if (!width) throw new DOMException('no picture', 'InvalidStateError');
    return { width: Number(width), height: Number(height), close() {} };
  });
  // The program clicks links to save files. The test's document must not follow them.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  keepCookiesTrue();
  // Nobody else has the lock.
  const request = (...args: unknown[]) => (args.at(-1) as () => Promise<unknown>)();
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  for (const level of ['warn', 'info', 'debug'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
}

/** happy-dom keeps a cookie that expires at once until the end of the millisecond. This removes it immediately. */
function keepCookiesTrue(): void {
  if (Object.hasOwn(document, 'cookie')) return;
  let owner = Object.getPrototypeOf(document);
  while (!Object.hasOwn(owner, 'cookie')) owner = Object.getPrototypeOf(owner);
  const { get, set } = Object.getOwnPropertyDescriptor(owner, 'cookie') ?? {};
  Object.defineProperty(document, 'cookie', {
    get,
    set: (text: string) => set?.call(document, text.replace('Max-Age=0', 'Max-Age=-1')),
  });
}

function setAddress(address: string): void {
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } };
  happyDOM.setURL(ORIGIN + address);
}

/** No-break spaces count as spaces. */
export function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const READ_ATTRIBUTES = ['title', 'aria-label', 'alt', 'placeholder'];
const WITH_ATTRIBUTE = READ_ATTRIBUTES.map((name) => `[${name}]`).join();

/** Waits until `place`, a selector, shows this as a whole text of its own, or as a title or label. */
export async function untilShown(text: string, place = 'body'): Promise<void> {
  try {
    await until(() => isShown(text, place) || fail('it does not come'));
  } catch {
    const said = [...document.querySelectorAll(place)].map(({ textContent }) => clean(textContent ?? ''));
    fail(`«${text}» does not stand in ${place}, which says: ${said.join(' | ')}`);
  }
}

/** Waits until these words stand in the text of `place`, also across elements. */
export function untilRead(words: string | RegExp, place: string): Promise<void> {
  return until(() => expect(readText(place)).toMatch(words));
}

/** Waits until `place` does not show the text, not even behind an open dialog. */
export async function untilGone(text: string, place = 'body'): Promise<void> {
  await until(() => !isShown(text, place, '[hidden]') || fail(`«${text}» still stands in ${place}`));
}

/** Waits until no dialog is open. */
export function untilDialogGone(): Promise<void> {
  return until(() => expect(document.querySelector('[role=dialog]')).toBeNull());
}

/** Waits until the page is at this address. */
export async function untilAt(address: string): Promise<void> {
  await until(() => {
    const now = location.pathname + location.search;
    return now === address || fail(`the page is at ${now} and not at ${address}`);
  });
}

/** The whole text of `place`. */
export function readText(place: string): string {
  return clean([...document.querySelectorAll(place)].map(({ textContent }) => textContent).join(' '));
}

function isShown(text: string, place: string, except = OUT_OF_REACH): boolean {
  return [...document.querySelectorAll(place)].some((root) => {
    // The quick check of the whole text comes first, because most of the time the text is not there yet.
    if (
      clean(root.textContent ?? '').includes(text) &&
      withAll(root, '*').some((one) => !one.closest(except) && says(one, text))
    )
      return true;
    return withAll(root, WITH_ATTRIBUTE).some(
      (one) => !one.closest(except) && READ_ATTRIBUTES.some((name) => clean(one.getAttribute(name) ?? '') === text),
    );
  });
}

function withAll(root: Element, selector: string): Element[] {
  return [...(root.matches(selector) ? [root] : []), ...root.querySelectorAll(selector)];
}

/** Whether the element's whole text, or one of its own text nodes, is this text. */
function says(element: Element, text: string): boolean {
  const pieces = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  return [element, ...pieces].some(({ textContent }) => clean(textContent ?? '') === text);
}
