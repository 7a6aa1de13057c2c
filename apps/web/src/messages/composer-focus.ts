/** Goes to where one writes. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('.composer-input')?.focus()
}
