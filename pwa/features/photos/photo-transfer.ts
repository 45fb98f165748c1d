/** The first file that a drop or a paste brings, or null; a picture goes before anything else. */
export function pickFile(transfer: DataTransfer | null): File | null {
  const files = [...(transfer?.files ?? [])];
  return files.find((file) => file.type.startsWith('image/')) ?? files[0] ?? null;
}

/** Whether a drag brings files: text and links are none of our business. */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}
