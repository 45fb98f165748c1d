/** Keeps an answer, and of all kept ones the newest `max`. A device without room keeps nothing, which hurts nobody. */
export async function putTrimmed(cache: Cache, request: Request, response: Response, max: number): Promise<void> {
  try {
    await cache.put(request, response);
    const kept = await cache.keys();
    // In the order in which they were put.
    await Promise.all(kept.slice(0, Math.max(0, kept.length - max)).map((oldest) => cache.delete(oldest)));
  } catch (error) {
    console.warn('the device keeps no copy:', error);
  }
}
