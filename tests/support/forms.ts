interface EncodedForm {
  body: Buffer;
  headers: { 'content-type': string };
}

/** A form with one file, encoded as a browser would, for server.inject. */
export async function encodeFileForm(
  field: string,
  file: { content: Uint8Array; name: string; type?: string },
): Promise<EncodedForm> {
  const form = new FormData();
  const blob = new Blob([new Uint8Array(file.content)], file.type ? { type: file.type } : {});
  form.set(field, blob, file.name);
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type');
  if (!contentType) throw new Error('the form has no content type');
  return { body: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': contentType } };
}
