let deviceAheadMs = 0;

/** Compares the clocks by the Date header of an answer that has just come; whole seconds, which is enough here. */
export function compareClocks(serverDate: string | null, deviceNow: number): void {
  const serverNow = Date.parse(serverDate ?? '');
  if (!Number.isNaN(serverNow)) deviceAheadMs = deviceNow - serverNow;
}

/** A moment that the server names, by this device's clock: milliseconds since 1970. */
export function toDeviceTime(serverMoment: string): number {
  return Date.parse(serverMoment) + deviceAheadMs;
}
