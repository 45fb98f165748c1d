import type { AppContext } from '#api/services/app-context.ts';

export function siteAddress({ config }: Pick<AppContext, 'config'>, path: string): string {
  return `${config.publicUrl}${path}`;
}

/** Telegram refuses buttons with local addresses. */
export function canBeButton(app: Pick<AppContext, 'config'>): boolean {
  return app.config.publicUrl.startsWith('https://');
}
