import { describe, expect, it } from 'vitest';
import { describeDownloadRefusal, readFileName } from '#pwa/features/downloads/download-file.ts';

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
    expect(describeDownloadRefusal(402, { upgradeMessage: 'Купите пакет' }, 'Только платным')).toBe('Купите пакет');
    expect(describeDownloadRefusal(402, {}, 'Только платным')).toBe('Только платным');
  });

  it('says only that it failed in all other cases', () => {
    expect(describeDownloadRefusal(500, { upgradeMessage: 'Купите пакет' }, 'Только платным')).toBe(
      'Ошибка при скачивании файла',
    );
  });
});
