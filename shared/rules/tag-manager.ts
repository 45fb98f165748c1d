/** Origin of the tag manager's script and of its calls. The security policy allows nothing else. */
export const TAG_MANAGER_ORIGIN = 'https://www.googletagmanager.com';
/** The `meta` of the document with the operator's container. Absent without the setting. */
export const TAG_MANAGER_META = 'tag-manager';
