import * as z from 'zod/mini';
import { ACCOUNT_TEXTS, registerBody } from '#shared/contract/account.ts';

/** The two consents. They are not sent: the server gets the version of the shown documents. */
export const consentSchema = z.object({
  acceptPolicy: z.boolean().check(z.refine(Boolean, ACCOUNT_TEXTS.policyNotAccepted)),
  acceptDataProcessing: z.boolean().check(z.refine(Boolean, 'Необходимо согласие на обработку персональных данных')),
});

/** The consent to the transfer of photos abroad, alone or beside the others. */
export const transferSchema = z.object({
  acceptTransfer: z.boolean().check(z.refine(Boolean, 'Необходимо согласие на передачу фото за границу')),
});

export const registrationSchema = z.extend(z.pick(registerBody, { email: true, password: true }), consentSchema.shape);
