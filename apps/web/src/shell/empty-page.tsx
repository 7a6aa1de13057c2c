/** Beside the spaces, while a page is being fetched. */
export function EmptyPage() {
  return <section className="page" aria-busy="true" />
}
