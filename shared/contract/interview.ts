import * as z from 'zod/mini';
import { EMAIL_ADDRESS } from '#shared/rules/outside-text.ts';
import { defineEndpoint } from './endpoint.ts';

export const INTERVIEW_FIELDS_REQUIRED = 'Пожалуйста, заполните все поля';
const required = (max: number) =>
  z.string(INTERVIEW_FIELDS_REQUIRED).check(z.trim(), z.minLength(1, INTERVIEW_FIELDS_REQUIRED), z.maxLength(max));

export const takeInterviewInvitation = defineEndpoint({
  method: 'POST',
  path: '/api/interview-invitation',
  summary: 'Takes the invitation to an interview, which an account gets once; later calls answer isDue: false',
  access: 'account',
  answer: z.object({ isDue: z.boolean() }),
  errors: ['too_many_requests'],
});

export const requestInterview = defineEndpoint({
  method: 'POST',
  path: '/api/interview-request',
  summary: 'Asks to be interviewed; the stars are given by an administrator afterwards',
  access: 'account',
  body: z.object({
    name: required(200),
    email: z.pipe(
      z.string(INTERVIEW_FIELDS_REQUIRED).check(z.trim(), z.minLength(1, INTERVIEW_FIELDS_REQUIRED)),
      z.email({ pattern: EMAIL_ADDRESS, error: 'Некорректный email' }).check(z.maxLength(254)),
    ),
    telegram: required(200),
  }),
  answer: z.object({ status: z.literal('received') }),
  errors: ['too_many_requests'],
});
