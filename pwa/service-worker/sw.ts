/** The service worker, served at /sw.js. This file lists the events that it handles. */
import { BATCH_UPLOADS_SYNC_TAG, UPLOADS_SYNC_TAG } from '#pwa/device/worker-messages.ts';
import { answerRequest } from './answer-request.ts';
import { nameVariant, type PrecacheEntry } from './document-variant.ts';
import { precacheFiles } from './precache.ts';
import { openNotification, renewSubscription, showPush } from './push.ts';
import { sendBatchUploadsOfOwner, sendUploadsOfOwner } from './uploads.ts';

declare global {
  /** Background sync is not in TypeScript's libraries, because not every browser has it. */
  interface SyncEvent extends ExtendableEvent {
    readonly tag: string;
  }
  interface ServiceWorkerGlobalScopeEventMap {
    sync: SyncEvent;
  }
}

declare const self: ServiceWorkerGlobalScope & {
  /** Filled in by the build: the files to precache. */
  __WB_MANIFEST: PrecacheEntry[];
  /** Put before this code by the server when its settings change the document of the build. */
  documentVariant?: string;
};

precacheFiles(self, nameVariant(self.__WB_MANIFEST, self.documentVariant));

self.addEventListener('activate', (event) => {
  // Only a worker that controls a page can report an update to it, so the first worker takes control at once.
  event.waitUntil(self.clients.claim());
});

self.addEventListener('message', (event) => {
  // Sent when the person has asked for the new version. A new worker never takes over by itself, because that could
  // interrupt something.
  if ((event.data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const answer = answerRequest(event);
  if (answer) event.respondWith(answer);
});

self.addEventListener('push', (event) => event.waitUntil(showPush(self, event.data)));
self.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(self, event.notification)));
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(self, event)));

self.addEventListener('sync', (event) => {
  if (event.tag === UPLOADS_SYNC_TAG) event.waitUntil(sendUploadsOfOwner());
  if (event.tag === BATCH_UPLOADS_SYNC_TAG) event.waitUntil(sendBatchUploadsOfOwner());
});
