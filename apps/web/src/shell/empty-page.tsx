/** The main area while the code of a page loads. */
export function EmptyPage() {
  return <section className="page" aria-busy="true" />
}
