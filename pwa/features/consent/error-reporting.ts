import { pageLocation, trackEvent } from './tag-manager.ts';

/** Logs and tracks uncaught errors. Call once at the start. */
export function reportUncaughtErrors(): void {
  addEventListener('error', (event) => {
    console.error(event.error ?? event.message);
    trackEvent('javascript_error', { error_message: event.message, page_location: pageLocation() });
  });
  addEventListener('unhandledrejection', (event) => {
    console.error(event.reason);
    trackEvent('promise_rejection', { error_message: String(event.reason), page_location: pageLocation() });
  });
}

/** Tracks an error that was caught and shown to the person. */
export function trackError(errorType: string, errorMessage: string): void {
  trackEvent('error_occurred', { error_type: errorType, error_message: errorMessage, page_location: pageLocation() });
}
