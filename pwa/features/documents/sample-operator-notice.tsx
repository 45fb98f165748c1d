import { Notice } from '#pwa/components/notice.tsx';
import { nb } from '#pwa/format.ts';

/** Says that the shown operator is an example. */
export function SampleOperatorNotice() {
  return (
    <Notice tone="warning" title="Образец данных">
      {nb('Сведения об операторе на этой странице — пример. Оператор сервиса ещё не указал свои.')}
    </Notice>
  );
}
