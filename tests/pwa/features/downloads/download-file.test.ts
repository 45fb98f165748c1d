import { describe, expect, it } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { describeDownloadRefusal, readFileName } from '#pwa/features/downloads/download-file.ts';
import type { ErrorBody } from '#shared/contract/errors.ts';

const refuse = (status: number, body: Partial<ErrorBody> = {}) =>
  describeDownloadRefusal(new ApiError(status, body.message ?? 'Error', body), 'Только платным');

describe('the download of a file', () => {
  it('takes the name that the server gives', () => {
    const header = `attachment; filename="_.jpg"; filename*=UTF-8''${encodeURIComponent('Пальто_поза_2.jpg')}`;
    expect(readFileName(header)).toBe('Пальто_поза_2.jpg');
  });

  it('does without a name that is missing or broken', () => {
    expect(readFileName(null)).toBeNull();
    expect(readFileName('attachment')).toBeNull();
    expect(readFileName("attachment; filename*=UTF-8''%E0%A4%A")).toBeNull();
  });

  it('explains a refusal for want of a payment in the words of the server', () => {
    expect(refuse(402, { upgradeMessage: 'Купите пакет' })).toBe('Купите пакет');
    expect(refuse(402)).toBe('Только платным');
  });

  it('explains a lost file and a storage that is away in the words of the server', () => {
    for (const status of [410, 503, 507]) expect(refuse(status, { message: 'Файл потерян' })).toBe('Файл потерян');
    expect(refuse(503)).toBe('Ошибка при скачивании файла');
  });

  it('says only that it failed in all other cases', () => {
    expect(refuse(500, { upgradeMessage: 'Купите пакет', message: 'Внутренняя ошибка' })).toBe(
      'Ошибка при скачивании файла',
    );
  });
});
