interface EncodedForm {
  body: Buffer;
  headers: { 'content-type': string };
}

interface FormFile {
  content: Uint8Array;
  name: string;
  type?: string;
}

/** A form with one file, encoded as a browser would, for server.inject. */
export function encodeFileForm(field: string, file: FormFile): Promise<EncodedForm> {
  return encodeForm([[field, file]]);
}

/** A form with its parts in the given order. */
export async function encodeForm(parts: [field: string, value: string | FormFile][]): Promise<EncodedForm> {
  const form = new FormData();
  for (const [field, value] of parts) {
    if (typeof value === 'string') form.append(field, value);
    else form.append(field, new Blob([new Uint8Array(value.content)], { type: value.type ?? '' }), value.name);
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type');
  if (!contentType) throw new Error('the form has no content type');
  return { body: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': contentType } };
}
