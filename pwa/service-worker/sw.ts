/** The service worker, served at /sw.js: what it answers, and what it is woken for. */
import { UPLOADS_SYNC_TAG } from '#pwa/lib/worker-messages.ts';
import { answerRequest } from './answer-request.ts';
import { type KeptFile, nameVariant } from './document-variant.ts';
import { keepFiles } from './kept-files.ts';
import { openNotification, renewSubscription, showPush } from './push.ts';
import { sendUploadsOfOwner } from './uploads.ts';

declare global {
  /** Background sync stands in no library of TypeScript: not every browser has it. */
  interface SyncEvent extends ExtendableEvent {
    readonly tag: string;
  }
  interface ServiceWorkerGlobalScopeEventMap {
    sync: SyncEvent;
  }
}

declare const self: ServiceWorkerGlobalScope & {
  /** Filled in by the build: the files that are kept from the start. */
  __WB_MANIFEST: KeptFile[];
  /** Put before this code by the server, where its settings change the document of the build. */
  documentVariant?: string;
};

keepFiles(self, nameVariant(self.__WB_MANIFEST, self.documentVariant));

self.addEventListener('activate', (event) => {
  // A page that began without a worker is told of updates only by the worker that controls it.
  event.waitUntil(self.clients.claim());
});

self.addEventListener('message', (event) => {
  // Only when the person has asked for the new version: it never takes over in the middle of something by itself.
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
});
