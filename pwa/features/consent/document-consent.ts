import type { QueryClient } from '@tanstack/react-query';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { createStore, useStore } from '#pwa/device/store.ts';
import type { ConsentKind } from '#shared/rules/legal-documents.ts';

/** A consent that an account has to give. */
export interface ConsentNeed {
  /** The version that is asked for: that of this page's text. */
  version: string;
  /** The account agreed to an earlier version. */
  isRenewal: boolean;
  /** The server has a newer text than this page, so the page must be loaded again first. */
  isPageOutdated: boolean;
}

/** What is lacking, by consent. Null for what is not. */
export type ConsentNeeds = Record<ConsentKind, ConsentNeed | null>;

export interface ConsentRequest {
  /** What is asked for takes photos abroad, so it needs the second consent, too. */
  isAbroad: boolean;
  /** Continues what needed the consent. */
  proceed: (() => void) | null;
  /** Called instead when the person does not consent. */
  giveUp?: () => void;
}

const NOTHING: ConsentNeeds = { documents: null, transfer: null };
const consentNeeds = createStore(NOTHING);
/** Set while the person is asked. */
export const consentRequest = createStore<ConsentRequest | null>(null);

/** The account's feature finds out what is lacking and shows the dialog. */
export function noteConsentNeeds(needs: ConsentNeeds | null): void {
  consentNeeds.set(needs ?? NOTHING);
}

/** What has to be consented to before a photo is sent or a generation starts. Nothing, too, while that is unknown. */
export function useConsentNeeds(isAbroad: boolean): ConsentNeeds {
  const needs = useStore(consentNeeds);
  return isAbroad ? needs : { ...needs, transfer: null };
}

/** Runs the action at once, or after the consents that it needs. `isAbroad`: it takes photos abroad. */
export function afterConsent(isAbroad: boolean, action: () => void): void {
  const { documents, transfer } = consentNeeds.get();
  if (documents || (isAbroad && transfer)) askForConsent(isAbroad, action);
  else action();
}

/** Asks for the consents that are lacking. Resolves with whether there are all of them. */
export function obtainConsent(isAbroad: boolean): Promise<boolean> {
  const { documents, transfer } = consentNeeds.get();
  if (!documents && !(isAbroad && transfer)) return Promise.resolve(true);
  return requestConsent(isAbroad);
}

/**
 * The same after the server has refused something for want of a consent. What this page knew was wrong then, so it is
 * read anew, and the dialog decides by it.
 */
export async function obtainConsentAfterRefusal(queryClient: QueryClient): Promise<boolean> {
  await refreshConsentNeeds(queryClient);
  return requestConsent(false);
}

function requestConsent(isAbroad: boolean): Promise<boolean> {
  // Only one question stands on the page at a time.
  consentRequest.get()?.giveUp?.();
  return new Promise((resolve) => {
    consentRequest.set({ isAbroad, proceed: () => resolve(true), giveUp: () => resolve(false) });
  });
}

/** Whether the server has refused something for want of a consent. */
export function isConsentRefusal(code: string | null): boolean {
  return code === 'consent_required' || code === TRANSFER_REFUSAL;
}

/** Asks for the consent for want of which the server has refused something, and then goes on. */
export function askAfterRefusal(queryClient: QueryClient, code: string | null, proceed: () => void): void {
  void refreshConsentNeeds(queryClient).then(() => askForConsent(code === TRANSFER_REFUSAL, proceed));
}
const TRANSFER_REFUSAL = 'transfer_consent_required';

/** Looks again which consents are needed. */
export async function refreshConsentNeeds(queryClient: QueryClient): Promise<void> {
  await Promise.all([QUERY_KEYS.user, QUERY_KEYS.tools].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Asks for the consents over the current page, and then goes on. */
export function askForConsent(isAbroad: boolean, proceed: (() => void) | null = null): void {
  consentRequest.set({ isAbroad, proceed });
}

export function closeConsentRequest(): void {
  const request = consentRequest.get();
  consentRequest.set(null);
  // After a consent the request goes on in the same turn, and that counts.
  if (request?.giveUp) queueMicrotask(request.giveUp);
}
