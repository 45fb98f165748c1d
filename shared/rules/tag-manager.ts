/** Where the tag manager's script comes from, and where it sends to: what the security policy allows it, and no more. */
export const TAG_MANAGER_ORIGIN = 'https://www.googletagmanager.com';
/** The `meta` of the document that names the operator's container; without the setting there is none. */
export const TAG_MANAGER_META = 'tag-manager';
