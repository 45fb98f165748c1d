import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Field } from '#pwa/components/field.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/format.ts';
import { INTERVIEW_FIELDS_REQUIRED, requestInterview } from '#shared/contract/interview.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { DEFAULT_VIDEO_SECONDS, INTERVIEW_BONUS_STARS, videoPrice } from '#shared/rules/prices.ts';
import {
  INTERVIEW_TEXTS,
  type InterviewFaults,
  type InterviewField,
  type InterviewForm,
  readInterviewForm,
} from './interview-form.ts';

const NO_FAULTS: InterviewFaults = { empty: [], email: undefined };

export interface InterviewDialogProps {
  /** The prefilled name. */
  name: string;
  email: string;
  onClose: () => void;
}

/** The invitation to an interview, with the form that accepts it. */
export default function InterviewDialog({ name, email, onClose }: InterviewDialogProps) {
  const formId = useId();
  const [typed, setTyped] = useState<InterviewForm>({ name, email, telegram: '' });
  const [faults, setFaults] = useState<InterviewFaults>(NO_FAULTS);
  const request = useMutation({
    mutationFn: (body: InterviewForm) => callApi(requestInterview, { body }),
    onSuccess: () => {
      toast({ title: INTERVIEW_TEXTS.sent, description: INTERVIEW_TEXTS.sentText, tone: 'success' });
      onClose();
    },
    onError: () => toast({ title: 'Ошибка', description: INTERVIEW_TEXTS.failed, tone: 'danger' }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readInterviewForm(typed);
    if ('body' in read) {
      setFaults(NO_FAULTS);
      return request.mutate(read.body);
    }
    setFaults(read.faults);
    if (read.faults.empty.length > 0) {
      toast({ title: 'Ошибка', description: INTERVIEW_FIELDS_REQUIRED, tone: 'danger' });
    }
  };
  const field = (key: InterviewField) => ({
    value: typed[key],
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [key]: event.target.value });
      setFaults({
        empty: faults.empty.filter((field) => field !== key),
        email: key === 'email' ? undefined : faults.email,
      });
    },
    isWrong: faults.empty.includes(key),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      tag={
        <span className="tag star-t">
          <StarIcon />
          {countStars(INTERVIEW_BONUS_STARS)} бесплатно
        </span>
      }
      title="Расскажите, как вы работаете"
      description={nb(
        `Приглашаем на 30-минутное интервью. В благодарность начислим ${INTERVIEW_BONUS_STARS} бесплатных звёзд: это ${INTERVIEW_BONUS_STARS / videoPrice(DEFAULT_VIDEO_SECONDS)} видео по ${DEFAULT_VIDEO_SECONDS} секунд.`,
      )}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Может позже
          </Button>
          <Button type="submit" form={formId} loading={request.isPending} loadingText="Отправляем…">
            Участвовать в интервью
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
        <Field label="Имя" autoComplete="name" maxLength={200} {...field('name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          maxLength={254}
          error={faults.email}
          {...field('email')}
        />
        <Field
          label="Telegram"
          placeholder="@username или ссылка"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={200}
          {...field('telegram')}
        />
      </form>
    </Dialog>
  );
}
