import { type AccountConsents, listConsents } from '#shared/contract/account.ts';
import { getPushKey, listPushDevices } from '#shared/contract/push-devices.ts';
import { type AccountSession, getNotificationSettings, listSessions } from '#shared/contract/settings.ts';
import { listStarHistory } from '#shared/contract/stars.ts';
import { getTelegram, type TelegramState } from '#shared/contract/telegram.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import { openScreen, type Screen, type ScreenOptions } from '#tests/pwa/support/open-screen.tsx';

export const SETTINGS = '/settings';
export const DIALOG = '[role=dialog]';
export const NEVER_SEEN = { createdAt: '2026-11-01T10:00:00.000Z', lastSeenAt: '2026-11-02T10:00:00.000Z' };
export const HERE: AccountSession = {
  id: '1f8c3a52-0b7d-4e6f-8a91-2c3d4e5f6a7b',
  userAgent: '',
  isCurrent: true,
  ...NEVER_SEEN,
};
export const UNLINKED: TelegramState = { botUsername: 'podium_bot', link: null };

const CONSENTS: AccountConsents = {
  documents: { inForce: DOCUMENTS_VERSION, agreed: { version: DOCUMENTS_VERSION, at: NEVER_SEEN.createdAt } },
  transfer: { inForce: TRANSFER_VERSION, agreed: null, isNeeded: false },
};

/** Of somebody who is signed in here alone and has changed nothing yet. */
export function openSettings(
  prepare: (server: ContractServer) => void = () => {},
  address = SETTINGS,
  options: ScreenOptions = {},
): Promise<Screen> {
  return openScreen(address, {
    ...options,
    prepare: (server) => {
      server.answer(listSessions, { sessions: [HERE], chats: [] });
      server.answer(getNotificationSettings, { mailsResults: false });
      server.answer(getTelegram, UNLINKED);
      server.answer(listStarHistory, { entries: [], nextCursor: null });
      server.answer(listPushDevices, { devices: [] });
      server.answer(getPushKey, { publicKey: '' });
      server.answer(listConsents, CONSENTS);
      prepare(server);
    },
  });
}
