/** Version of the policy, the terms and the consent that the registration form shows; the server stores it. */
export const CONSENT_VERSION = '2026-11-21';
