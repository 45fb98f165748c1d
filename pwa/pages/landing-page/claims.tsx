import { Link } from 'react-router-dom';
import { CASE_CLAIMS } from '#pwa/features/cases/claims.ts';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';

/** Figures of the case studies, marked as such, and facts about the product. */
export function Claims() {
  const facts = [
    ...CASE_CLAIMS.figures.map((figure) => ({ ...figure, isFromCases: true })),
    { value: '≈ 5 минут', label: 'на одну генерацию', isFromCases: false },
    { value: String(SIGNUP_BONUS_STARS), label: 'бесплатные генерации после регистрации', isFromCases: false },
  ];
  return (
    <section
      className="px-5 md:px-[6vw] grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,40%)),1fr))] md:grid-cols-[repeat(auto-fit,minmax(max(10rem,20%),1fr))] border-b border-line"
      aria-label="В цифрах"
    >
      {facts.map(({ value, label, isFromCases }, index) => (
        <div
          key={label}
          className={`py-7 md:py-10 ${index % 2 ? 'pl-5 border-l border-line' : 'pr-3'} ${index > 0 ? 'md:pl-6 md:border-l border-line' : ''} ${index > 1 ? 'max-md:border-t border-line' : ''}`}
        >
          <div className="display num text-d3 whitespace-nowrap max-md:text-[1.7rem]">
            <Figure text={value} />
          </div>
          <div className="text-muted mt-1">{nb(label)}</div>
          {isFromCases && (
            <Link
              to={PATHS.cases}
              className="link text-sm inline-flex items-center min-h-11"
              onClick={() => recordServerEvent({ event_name: 'cases_link_clicked' })}
            >
              {nb(CASE_CLAIMS.isExample ? 'Пример из кейсов' : 'По данным кейсов')}
            </Link>
          )}
        </div>
      ))}
    </section>
  );
}

/** A range with space around its dash: in this typeface the dash would otherwise touch the figures. */
function Figure({ text }: { text: string }) {
  const [from = '', to] = nb(text).split('–');
  return (
    <>
      {from}
      {to !== undefined && <span className="mx-[.12em]">–</span>}
      {to}
    </>
  );
}
