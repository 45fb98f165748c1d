import type { WithDb } from '#api/services/app-context.ts';
import { MAIL_ADDRESS } from '#shared/rules/outside-text.ts';

/** Enough for the details of every event that the interface sends. Larger details are dropped. */
const DETAILS_MAX_BYTES = 2000;

type Details = Record<string, string | number | boolean>;

interface InterfaceEvent {
  name: string;
  /** Null for visitors and for everybody who has not accepted cookies. */
  accountId: number | null;
  pageLocation: string;
  videoId?: string | undefined;
  source?: string | undefined;
  details?: Details | undefined;
}

/**
 * Records one event. Addresses are stored without query and fragment, which may contain signatures or personal data.
 */
export async function recordEvent(app: WithDb, event: InterfaceEvent): Promise<void> {
  const details = event.details && stripDetails(event.details);
  const isSmall = details && Buffer.byteLength(JSON.stringify(details)) <= DETAILS_MAX_BYTES;
  await app.db.analyticsEvent.create({
    data: {
      name: event.name,
      accountId: event.accountId,
      pageLocation: stripQuery(event.pageLocation),
      videoId: event.videoId ?? null,
      source: event.source ?? null,
      ...(isSmall ? { details } : {}),
    },
  });
}

function stripDetails(details: Details): Details {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, stripPersonalData(value)]));
}

function stripPersonalData(value: string | number | boolean): string | number | boolean {
  if (typeof value !== 'string') return value;
  const isAddress = /^(https?:\/\/|\/)/i.test(value);
  return isAddress ? stripQuery(value) : value.replace(MAIL_ADDRESS, '[email]');
}

function stripQuery(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? '';
}
