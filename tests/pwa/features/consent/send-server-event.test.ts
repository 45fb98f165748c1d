import { describe, expect, test } from 'vitest';
import { limitToConsent } from '#pwa/features/consent/send-server-event.ts';

const event = {
  event_name: 'video_download',
  source: 'dialog',
  video_id: 'v1',
  details: { videoUrl: '/api/video-proxy/v1' },
} as const;

describe('an event counted on the server', () => {
  test.each([null, 'declined'] as const)('names neither the video nor its details when the choice is %s', (consent) => {
    expect(limitToConsent(event, consent)).toEqual({
      event: { event_name: 'video_download', source: 'dialog' },
      headers: {},
    });
  });
});
