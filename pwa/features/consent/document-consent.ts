import { type QueryClient, useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { createStore } from '#pwa/device/store.ts';
import { useUser } from '#pwa/features/session/use-session.ts';
import { toolsQuery } from '#pwa/features/tools/tools.ts';
import type { User } from '#shared/contract/account.ts';
import type { ToolAbilities } from '#shared/contract/tools.ts';
import { CONSENT_VERSIONS, type ConsentKind } from '#shared/rules/legal-documents.ts';

/** A consent that an account has to give. */
interface ConsentNeed {
  /** The version that is asked for: that of this page's text. */
  version: string;
  /** The account agreed to an earlier version. */
  isRenewal: boolean;
  /** The server has a newer text than this page, so the page must be loaded again first. */
  isPageOutdated: boolean;
}

/** What is lacking, by consent. Null for what is not. */
export type ConsentNeeds = Record<ConsentKind, ConsentNeed | null>;

interface ConsentRequest {
  /** What is asked for takes photos abroad, so it needs the second consent, too. */
  isAbroad: boolean;
  /** Continues what needed the consent. */
  proceed: (() => void) | null;
  /** Called instead when the person does not consent. */
  giveUp?: () => void;
}

/** Set while the person is asked. The account's feature shows the dialog. */
export const consentRequest = createStore<ConsentRequest | null>(null);

/** The consents that are lacking before a photo is sent or a generation starts; null when none is known to lack. */
export function useLackingConsents(isAbroad: boolean): ConsentNeeds | null {
  return findLacking(useUser(), useQuery(toolsQuery).data, isAbroad);
}

/** The consents that are lacking by the newest answers, which components may not have been drawn with yet. */
export function readLackingConsents(queryClient: QueryClient, isAbroad: boolean): ConsentNeeds | null {
  const user = queryClient.getQueryData<User>(QUERY_KEYS.user);
  return findLacking(user, queryClient.getQueryData(toolsQuery.queryKey), isAbroad);
}

/** `isAbroad`: photos are taken abroad. */
function findLacking(
  user: User | null | undefined,
  inForce: ToolAbilities | undefined,
  isAbroad: boolean,
): ConsentNeeds | null {
  if (!user || !inForce) return null;
  const documents = findNeed('documents', user.consentVersion, inForce.documentsVersion);
  const transfer = isAbroad ? findNeed('transfer', user.transferConsentVersion, inForce.transferVersion) : null;
  return documents || transfer ? { documents, transfer } : null;
}

/** What is asked for is the version of this page's own text, because the person reads that. */
function findNeed(kind: ConsentKind, agreed: string | null, inForce: string): ConsentNeed | null {
  if (agreed === inForce) return null;
  const version = CONSENT_VERSIONS[kind];
  return { version, isRenewal: agreed !== null, isPageOutdated: version !== inForce };
}

/** Runs the action at once, or after the consents that it needs. `isAbroad`: it takes photos abroad. */
export function afterConsent(queryClient: QueryClient, isAbroad: boolean, action: () => void): void {
  if (readLackingConsents(queryClient, isAbroad)) askForConsent(isAbroad, action);
  else action();
}

/** Asks for the consents that are lacking before a photo is sent. Resolves with whether there are all of them. */
export async function obtainConsent(queryClient: QueryClient): Promise<boolean> {
  return readLackingConsents(queryClient, false) === null || requestConsent();
}

/**
 * Asks for the consents after the server has refused a photo for want of one. What this page knew was wrong then, so it
 * is read anew, and the dialog decides by it.
 */
export async function obtainConsentAfterRefusal(queryClient: QueryClient): Promise<boolean> {
  await refreshConsentNeeds(queryClient);
  return requestConsent();
}

function requestConsent(): Promise<boolean> {
  // Only one question stands on the page at a time.
  consentRequest.get()?.giveUp?.();
  return new Promise((resolve) => {
    consentRequest.set({ isAbroad: false, proceed: () => resolve(true), giveUp: () => resolve(false) });
  });
}

/** Asks for the consent for want of which the server has refused something, and then goes on. */
export function askAfterRefusal(queryClient: QueryClient, code: string | null, proceed: () => void): void {
  void refreshConsentNeeds(queryClient).then(() => askForConsent(code === 'transfer_consent_required', proceed));
}

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
