import { expect, test } from 'vitest';
import { compareInFolders } from '#pwa/features/photos/dropped-folders.ts';

const fileAt = (webkitRelativePath: string) => Object.assign(new File([], 'a.jpg'), { webkitRelativePath });

test('files of a chosen folder come by name with numbers as numbers, and then those of the folders in it', () => {
  const paths = ['Осень/DRS-9/b.jpg', 'Осень/A-10.jpg', 'Осень/DRS-10/a.jpg', 'Осень/A-9_2.jpg', 'Осень/A-9_1.jpg'];
  const sorted = [...paths, 'Осень/DRS-9/a.jpg'].map(fileAt).sort(compareInFolders);
  expect(sorted.map(({ webkitRelativePath }) => webkitRelativePath)).toEqual([
    'Осень/A-9_1.jpg',
    'Осень/A-9_2.jpg',
    'Осень/A-10.jpg',
    'Осень/DRS-9/a.jpg',
    'Осень/DRS-9/b.jpg',
    'Осень/DRS-10/a.jpg',
  ]);
});
