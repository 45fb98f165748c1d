/**
 * The version of the policy, the terms and the consent: the day it takes effect. Registration stores it with the
 * account, and the documents show it. A new text needs a new version.
 */
export const LEGAL_DOCUMENTS_VERSION = '2026-11-22';
