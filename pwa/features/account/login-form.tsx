import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { Button } from '#pwa/components/button.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { Field } from '#pwa/components/field.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { describeError } from '#pwa/lib/api-error.ts';
import { ignoreUntilSent, lateResolver } from '#pwa/lib/late-resolver.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { useLogin } from './use-login.ts';

const loadSchema = () => import('#shared/contract/account.ts').then(({ loginBody }) => loginBody);

export interface AccountFormProps {
  /** Carried over between the tabs, so that it is typed once. */
  email: string;
  onEmailChange: (email: string) => void;
}

export function LoginForm({ email, onEmailChange }: AccountFormProps) {
  const login = useLogin();
  const { register, handleSubmit, formState } = useForm({
    resolver: lateResolver(loadSchema),
    defaultValues: { email, password: '' },
  });
  return (
    <form
      method="post"
      className="script-only grid gap-5"
      noValidate
      onFocus={() => void loadSchema().catch(ignoreUntilSent)}
      onSubmit={handleSubmit((body) => login.mutate(body))}
    >
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        error={formState.errors.email?.message}
        {...register('email', { onChange: (event) => onEmailChange(event.target.value) })}
      />
      <div className="grid gap-1">
        <PasswordField
          label="Пароль"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password')}
        />
        <Link to={PATHS.passwordReset} className="link text-sm inline-flex items-center min-h-11 justify-self-start">
          Забыли пароль?
        </Link>
      </div>
      {login.isError && <ErrorNote>{describeError(login.error, 'Ошибка при входе')}</ErrorNote>}
      <Button type="submit" size="lg" wide loading={login.isPending} loadingText="Входим…">
        Войти
      </Button>
    </form>
  );
}
