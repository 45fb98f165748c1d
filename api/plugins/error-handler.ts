import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MailUnavailableError } from '#api/adapters/mail/mailer.ts';
import {
  ObjectNotFoundError,
  StorageFullError,
  StorageUnavailableError,
} from '#api/adapters/storage/object-storage.ts';
import { isDatabaseFault } from '#api/database/faults.ts';
import { AppError } from '#api/platform/errors.ts';
import { WorkProcessError } from '#api/platform/work-processes/work-process-error.ts';
import { ERRORS, type ErrorBody, type ErrorCode } from '#shared/contract/errors.ts';
import { describeIssue, isOwnText } from '#shared/validation-texts.ts';
import { CallerGoneError } from './caller-address.ts';
import { describePath, isFault, logFault } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the error in the answer to this request, for the log. */
    errorCode: string | null;
  }
}

/** For answers that name no time of their own. Space on a disk has to be made by somebody. */
const RETRY_SECONDS: Partial<Record<ErrorCode, number>> = {
  unavailable: 5,
  mail_not_sent: 60,
  storage_unavailable: 60,
  storage_full: 300,
};

/** What a route may have said about a file before its first byte failed. */
const FILE_HEADERS = ['accept-ranges', 'content-disposition', 'etag', 'last-modified'];

/** Turns every error into `{message, code, …}`, also for unknown addresses under /api. */
export function addErrorHandler(server: FastifyInstance): void {
  setRussianValidationTexts();
  server.decorateRequest('errorCode', null);
  server.setErrorHandler(answerError);
  answerUnknownApiPaths(server);
}

/** Answers any error in our form, also one before routing, such as an address that cannot be decoded. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isCallerGone = error instanceof CallerGoneError || (error instanceof Error && error === request.raw.errored);
  if (isCallerGone) request.log.info({ method: request.method, path: describePath(request) }, 'the caller hung up');
  // Nobody reads this answer. The code only keeps the log from blaming us or the database.
  const appError = isCallerGone ? new AppError('invalid_request') : translate(error);
  const { message: _message, ...extra } = appError.extra;
  const retryAfter = extra.retryAfter ?? RETRY_SECONDS[appError.code];
  if (retryAfter !== undefined) extra.retryAfter = retryAfter;
  const body: ErrorBody = { message: appError.message, code: appError.code, ...extra };
  request.errorCode = appError.code;
  reply.code(appError.status).type('application/json; charset=utf-8');
  if (extra.retryAfter !== undefined) reply.header('Retry-After', extra.retryAfter);
  if (isFault(appError.status, appError.code)) {
    body.requestId = request.id;
    logFault(request, reply, error);
  }
  forgetFile(reply, appError);
  return reply.send(JSON.stringify(body));
}

/** No cache may keep an error in the place of the file. */
function forgetFile(reply: FastifyReply, { code }: AppError): void {
  for (const name of FILE_HEADERS) reply.removeHeader(name);
  // Beside this error it does not describe a part of the file: it tells how large the file is.
  if (code !== 'range_not_satisfiable') reply.removeHeader('content-range');
  reply.header('cache-control', 'no-store');
}

function translate(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StorageFullError) return new AppError('storage_full');
  if (error instanceof StorageUnavailableError) return new AppError('storage_unavailable');
  if (error instanceof MailUnavailableError) return new AppError('mail_not_sent');
  if (error instanceof ObjectNotFoundError) return new AppError('file_lost');
  if (isDatabaseFault(error) || error instanceof WorkProcessError) return new AppError('unavailable');
  if (!(error instanceof Error)) return new AppError('internal');
  const { validation, validationContext, statusCode } = error as Partial<FastifyError>;
  if (validation) return describeComplaints(validation, validationContext ?? 'body');
  if (statusCode === 413) return new AppError('body_too_large');
  if (statusCode === 415) return new AppError('unsupported_content_type');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('invalid_request');
  return new AppError('internal');
}

function describeComplaints(complaints: NonNullable<FastifyError['validation']>, context: string): AppError {
  const fields: Record<string, string> = {};
  for (const { instancePath, message } of complaints) {
    const path = instancePath.slice(1).replaceAll('/', '.') || context;
    fields[path] ??= message ?? ERRORS.invalid_request.message;
  }
  const [first] = Object.values(fields);
  return new AppError('invalid_request', { fields, ...(first && isOwnText(first) ? { message: first } : {}) });
}

/** Uses a catch-all route, because the not-found handler belongs to the pages. */
function answerUnknownApiPaths(server: FastifyInstance): void {
  const known: { methods: string[]; pattern: RegExp }[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith('/api/') || url.endsWith('*')) return;
    const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`);
    known.push({ methods: [method].flat(), pattern });
  });
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = known.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (allowed.length === 0) throw new AppError('route_not_found');
    reply.header('Allow', allowed.join(', '));
    throw new AppError('method_not_allowed');
  };
  // In onRequest, so that no body is read.
  for (const url of ['/api', '/api/*']) {
    server.all(url, { schema: { hide: true }, onRequest: refuse }, refuse);
  }
}

/**
 * Sets the Russian texts for validation errors whose schema has no text, for the whole process. Users never see
 * English.
 */
export function setRussianValidationTexts(): void {
  z.config({ localeError: describeIssue });
}
