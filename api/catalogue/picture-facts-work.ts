import sharp from 'sharp';

export interface PictureFacts {
  mediaType: string | undefined;
  width: number;
  height: number;
}

/** What pictures are. Null for a file that is none. */
export function readPictureFacts(files: readonly string[]): Promise<(PictureFacts | null)[]> {
  return Promise.all(
    files.map((file) =>
      sharp(file)
        .metadata()
        .then(
          ({ mediaType, width, height }) => ({ mediaType, width, height }),
          () => null,
        ),
    ),
  );
}
