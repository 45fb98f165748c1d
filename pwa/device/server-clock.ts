let deviceAheadMs = 0;

/**
 * Measures the difference between the device's clock and the server's from the Date header of an answer that has just
 * come. Whole seconds are enough here.
 */
export function measureClockSkew(serverDate: string | null, deviceNow: number): void {
  const serverNow = Date.parse(serverDate ?? '');
  if (!Number.isNaN(serverNow)) deviceAheadMs = deviceNow - serverNow;
}

/** Converts a server time (ISO) to this device's clock: milliseconds since 1970. */
export function toDeviceTime(serverMoment: string): number {
  return Date.parse(serverMoment) + deviceAheadMs;
}
