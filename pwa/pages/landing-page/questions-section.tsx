import { Plus } from 'lucide-react';
import { useChange } from '#pwa/lib/tools.ts';
import { listQuestions } from './questions.ts';

/** Opens and closes without any script. */
export function Questions() {
  return (
    <section className="px-5 md:px-[6vw] py-16 md:py-28 md:grid grid-cols-12 gap-8">
      <h2 className="display text-d3 col-span-4 max-md:mb-6">Вопросы</h2>
      <div className="questions col-start-6 col-span-7">
        {listQuestions(useChange()).map(({ question, answer }) => (
          <details key={question}>
            <summary className="text-lg font-semibold">
              {question}
              <Plus className="ic" />
            </summary>
            <p className="text-muted pb-6 max-w-[62ch]">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
