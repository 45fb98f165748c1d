import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { QUERY_KEYS } from './query-keys.ts';

/** Why an account has to consent to the legal documents again. */
export interface ConsentNeed {
  /** The version that is asked for: that of this page's texts. */
  version: string;
  /** The texts have changed since the consent. */
  hasNewTexts: boolean;
  /** Photos go abroad by now, which the consent does not name. */
  isNewlyAbroad: boolean;
  /** The server has newer texts than this page, so the page must be loaded again first. */
  isPageOutdated: boolean;
}

interface State {
  need: ConsentNeed | null;
  /** Set while the person is asked. `proceed` continues what needed the consent. */
  request: { proceed: (() => void) | null } | null;
}

let state: State = { need: null, request: null };
const listeners = new Set<() => void>();

/** The dialog is shown by the account's feature. This is here because features must not import each other. */
export function noteConsentNeed(need: ConsentNeed | null): void {
  change({ need });
}

/** Why the person has to consent before the next generation. Null when they need not, or while that is unknown. */
export function useConsentNeed(): ConsentNeed | null {
  return useSyncExternalStore(
    subscribe,
    () => state.need,
    () => null,
  );
}

/** Runs the action at once, or after the consent that it needs. */
export function afterConsent(action: () => void): void {
  if (state.need) askForConsent(action);
  else action();
}

/** Asks for the consent after the server has refused something for want of it, and then goes on. */
export function askAfterRefusal(queryClient: QueryClient, proceed: () => void): void {
  void refreshConsentNeed(queryClient).then(() => askForConsent(proceed));
}

/** Looks again whether a consent is needed. */
export async function refreshConsentNeed(queryClient: QueryClient): Promise<void> {
  await Promise.all([QUERY_KEYS.user, QUERY_KEYS.tools].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Asks for the consent over the current page, and then goes on. */
export function askForConsent(proceed: (() => void) | null = null): void {
  change({ request: { proceed } });
}

export function closeConsentRequest(): void {
  change({ request: null });
}

export function useConsentRequest(): State['request'] {
  return useSyncExternalStore(
    subscribe,
    () => state.request,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(part: Partial<State>): void {
  state = { ...state, ...part };
  for (const listener of listeners) listener();
}
