/** Focuses the composer of the room, or of the panel around an element. @returns false if there is no composer */
export function focusComposer(within: Element | null = null): boolean {
  const pane = within?.closest('.page, .thread') ?? document
  const input = pane.querySelector<HTMLElement>('.composer-input')
  input?.focus()
  return input !== null
}
