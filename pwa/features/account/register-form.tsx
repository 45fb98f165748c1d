import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { Button } from '#pwa/components/button.tsx';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { Field } from '#pwa/components/field.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { ignoreUntilSent, lateResolver } from '#pwa/lib/late-resolver.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { AccountFormProps } from './login-form.tsx';
import { RegisterError } from './register-error.tsx';
import { useRegister } from './use-register.ts';

const loadSchema = () => import('./registration-schema.ts').then(({ registrationSchema }) => registrationSchema);

/** `onSignIn`: the address turned out to have an account. */
export function RegisterForm({ email, onEmailChange, onSignIn }: AccountFormProps & { onSignIn: () => void }) {
  const registration = useRegister();
  const { register, handleSubmit, formState } = useForm({
    resolver: lateResolver(loadSchema),
    defaultValues: { email, password: '', acceptPolicy: false, acceptDataProcessing: false },
  });
  const { errors } = formState;
  return (
    <form
      method="post"
      className="script-only grid gap-5"
      noValidate
      onFocus={() => void loadSchema().catch(ignoreUntilSent)}
      onSubmit={handleSubmit(({ email, password }) => registration.mutate({ email, password }))}
    >
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...register('email', { onChange: (event) => onEmailChange(event.target.value) })}
      />
      <PasswordField
        label="Пароль"
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <div>
        <Checkbox error={errors.acceptPolicy?.message} {...register('acceptPolicy')}>
          Мне есть 18&nbsp;лет, я&nbsp;принимаю{' '}
          <LegalLink to={PATHS.privacyPolicy}>политику конфиденциальности</LegalLink> и&nbsp;
          <LegalLink to={PATHS.termsOfService}>условия</LegalLink>
        </Checkbox>
        <Checkbox error={errors.acceptDataProcessing?.message} {...register('acceptDataProcessing')}>
          Даю <LegalLink to={PATHS.personalDataConsent}>согласие на&nbsp;обработку персональных данных</LegalLink>
        </Checkbox>
      </div>
      {registration.isError && <RegisterError error={registration.error} onSignIn={onSignIn} />}
      <Button type="submit" size="lg" wide loading={registration.isPending} loadingText="Регистрируем…">
        Зарегистрироваться
      </Button>
    </form>
  );
}

/** Opens beside the form: what was typed must not be lost. */
function LegalLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} target="_blank" className="link">
      {children}
    </Link>
  );
}
