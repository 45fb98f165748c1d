import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildTagEvent, type TagEventName, withoutPersonalData } from '#pwa/lib/tag-manager.ts';
import { SERVER_EVENT_NAMES } from '#shared/contract/analytics.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const sources = globSync('pwa/**/*.{ts,tsx}', { cwd: ROOT }).map((file) => ({
  file: file.replaceAll(path.sep, '/'),
  text: readFileSync(path.join(ROOT, file), 'utf8'),
}));

/** What the specification asks for; `user_id` and the time are added to each. */
const TAG_EVENTS: Record<TagEventName, { from: string; fields: string[] }> = {
  user_registration: { from: 'pwa/features/account/', fields: ['registration_method'] },
  user_login: { from: 'pwa/features/account/', fields: ['login_method'] },
  video_generation_start: { from: 'pwa/features/videos/', fields: ['animation_type', 'duration', 'file_id'] },
  video_generation_complete: {
    from: 'pwa/features/videos/',
    fields: ['video_id', 'generation_id', 'animation_type', 'duration', 'generation_time_seconds'],
  },
  video_download: { from: 'pwa/features/', fields: ['video_id', 'video_url'] },
  purchase: { from: 'pwa/features/payments/', fields: ['transaction_id', 'value', 'currency', 'items'] },
  page_view: { from: 'pwa/lib/', fields: ['page_title', 'page_location', 'display_mode'] },
  file_upload: { from: 'pwa/features/generations/', fields: ['file_size', 'file_type', 'file_dimensions'] },
  error_occurred: { from: 'pwa/', fields: ['error_type', 'error_message', 'page_location'] },
  javascript_error: { from: 'pwa/lib/', fields: ['error_message', 'page_location'] },
  promise_rejection: { from: 'pwa/lib/', fields: ['error_message', 'page_location'] },
};

/** What the specification asks for; the address is added to each. */
const SERVER_EVENTS: Record<(typeof SERVER_EVENT_NAMES)[number], { from: string[]; fields: string[] }> = {
  video_download: { from: ['pwa/features/downloads/'], fields: ['video_id', 'details', 'videoUrl'] },
  buy_stars_click: { from: ['pwa/lib/buy-stars.ts'], fields: ['source'] },
  buy_stars_package_selected: {
    from: ['pwa/features/payments/'],
    fields: ['details', 'packageId', 'stars', 'priceRub'],
  },
  buy_stars_checkout_started: {
    from: ['pwa/features/payments/'],
    fields: ['details', 'packageId', 'stars', 'valueRub'],
  },
  payment_creation_failed: { from: ['pwa/features/payments/'], fields: ['details', 'message'] },
  cases_link_clicked: { from: ['pwa/app/header.tsx', 'pwa/app/footer.tsx', 'pwa/app/sidebar-drawer.tsx'], fields: [] },
  download_options_opened: { from: ['pwa/features/downloads/'], fields: ['video_id'] },
  change_model_opened: { from: ['pwa/pages/change-model-page.tsx'], fields: ['source'] },
};

/** The arguments of each call that sends this event: what stands between its brackets. */
function findCalls(start: RegExp): { file: string; fields: string }[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(start)].map((match) => ({ file, fields: readArguments(text, match.index + match[0].length) })),
  );
}

function readArguments(text: string, from: number): string {
  let depth = 1;
  let at = from;
  while (depth > 0 && at < text.length) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    at += 1;
  }
  return text.slice(from, at - 1);
}

const hasField = (fields: string, name: string) => new RegExp(`\\b${name}\\b`).test(fields);

describe('an event of the data layer', () => {
  test.each(Object.entries(TAG_EVENTS))('%s is sent with its fields', (name, { from, fields }) => {
    const calls = findCalls(new RegExp(`trackEvent\\('${name}'`, 'g'));
    expect(calls.some(({ file }) => file.startsWith(from))).toBe(true);
    for (const call of calls) {
      expect([call.file, fields.filter((field) => !hasField(call.fields, field))]).toEqual([call.file, []]);
    }
  });

  test.each(Object.keys(TAG_EVENTS) as TagEventName[])('%s waits for the consent', (name) => {
    const now = new Date('2026-11-21T12:00:00Z');
    const fields = { page_location: 'https://podium.test/app?code=1' };
    expect(buildTagEvent(name, fields, { consent: null, userId: 7, now })).toBeNull();
    expect(buildTagEvent(name, fields, { consent: 'declined', userId: 7, now })).toBeNull();
    expect(buildTagEvent(name, fields, { consent: 'accepted', userId: 7, now })).toEqual({
      event: name,
      user_id: 7,
      page_location: 'https://podium.test/app',
      timestamp: '2026-11-21T12:00:00.000Z',
    });
  });

  test('loses queries of addresses and e-mails, wherever they stand', () => {
    expect(withoutPersonalData('GET https://a.test/x?token=1 failed for anna.kim@example.com, see /y#z')).toBe(
      'GET https://a.test/x failed for [email] see /y',
    );
    expect(withoutPersonalData('Изображение 900/1200? Да')).toBe('Изображение 900/1200? Да');
  });
});

describe('an event counted on the server', () => {
  test.each(Object.entries(SERVER_EVENTS))('%s is sent with its fields', (name, { from, fields }) => {
    const calls = findCalls(/record(?:ServerEvent|Opening)\(/g).filter((call) =>
      call.fields.includes(`event_name: '${name}'`),
    );
    for (const place of from) expect([place, calls.some(({ file }) => file.startsWith(place))]).toEqual([place, true]);
    const isComplete = calls.some((call) => fields.every((field) => hasField(call.fields, field)));
    expect(isComplete).toBe(true);
  });

  test('is one of the contract’s', () => {
    expect(Object.keys(SERVER_EVENTS).sort()).toEqual([...SERVER_EVENT_NAMES].sort());
  });
});
