import { START_LIMIT } from '#api/services/generations/insert-generation.ts';

/** Starts of one tool that a process looks at. The statement of a start counts those of all processes. */
export const START_REQUESTS = { max: START_LIMIT.max, seconds: START_LIMIT.seconds };
