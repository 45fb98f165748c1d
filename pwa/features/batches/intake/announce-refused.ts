import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/format.ts';
import { countFiles } from './intake-texts.ts';

/** Says which files the server has not taken into a batch, and why. */
export function announceRefused({ names, message }: { names: readonly string[]; message: string }): void {
  const [name = ''] = names;
  const which = names.length === 1 ? name : countFiles(names.length);
  toast({ title: nb(`Не добавлено: ${which}`), description: message, tone: 'danger' });
}
