/** Only for the check of who is signed in, over the full page. Everything else shows a skeleton or a stitch. */
export function Spinner() {
  return (
    <div className="min-h-[70dvh] grid place-items-center" role="status" aria-label="Загрузка">
      <span className="spin" />
    </div>
  );
}
