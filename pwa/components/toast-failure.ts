import { describeError } from '#pwa/client/api-error.ts';
import { toast } from './toast.ts';

/** Shows that something has failed, with the reason of `describeError`. */
export function toastFailure(title: string, error: unknown, fallback: string): void {
  toast({ title, description: describeError(error, fallback), tone: 'danger' });
}
