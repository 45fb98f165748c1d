import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { ButtonLink } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { FIRST_ENTRY } from '#pwa/device/scroll-positions.ts';
import { CaseArticle } from '#pwa/features/cases/case-article.tsx';
import { CASE_STUDIES } from '#pwa/features/cases/case-studies.ts';
import { useSession } from '#pwa/features/session/use-session.ts';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { resolveBackTarget } from './cases-page/back-target.ts';

/** Case studies with pictures, tasks and figures. */
export default function CasesPage() {
  const hasExamples = CASE_STUDIES.some((study) => study.isExample);
  const isSignedIn = useSession().status !== 'signed_out';
  return (
    <div className="max-w-[1120px] mx-auto px-5 md:px-10 py-8 md:py-12">
      <BackLink isSignedIn={isSignedIn} />
      <h1 className="ptitle mt-3">Кейсы</h1>
      <p className="text-lg text-muted mt-3 max-w-[60ch]">
        {nb('Что меняется в карточке товара, когда одно фото становится видео, новым фоном или фотосессией.')}
      </p>
      {hasExamples && (
        <Notice tone="info" title="Это примеры" className="mt-6 max-w-[760px]">
          {nb(
            'Кейсы с пометкой «Пример» показывают вид отчёта. Изображения создал сам сервис из нарисованных на компьютере вещей, цифры не относятся ни к одному магазину.',
          )}
        </Notice>
      )}
      <div className="mt-10 border-b border-line">
        {CASE_STUDIES.map((study) => (
          <CaseArticle key={study.id} study={study} />
        ))}
      </div>
      <p className="text-sm text-muted mt-8 max-w-[60ch]">
        {nb(
          'Изменение посчитано по числам таблицы: разница между «стало» и «было», делённая на «было». Результат зависит от товара и площадки и не гарантируется.',
        )}
      </p>
      <ButtonLink to={isSignedIn ? PATHS.app : PATHS.auth} size="lg" className="mt-8 max-md:w-full">
        Создать своё
        <ArrowRight className="ic" />
      </ButtonLink>
    </div>
  );
}

function BackLink({ isSignedIn }: { isSignedIn: boolean }) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const goBack = (event: MouseEvent) => {
    const target = resolveBackTarget({
      isSignedIn,
      hasNavigated: key !== FIRST_ENTRY,
      referrer: document.referrer,
      origin: location.origin,
      historyLength: history.length,
    });
    if (target !== -1) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <Link className="back" to={isSignedIn ? PATHS.app : PATHS.landing} onClick={goBack}>
      <ArrowLeft className="ic ic-s" />
      Назад
    </Link>
  );
}
