/** Focuses the composer. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('.composer-input')?.focus()
}
