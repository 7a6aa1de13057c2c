/** Puts a text in the place of what is selected in a field, as if it was typed there, and goes on behind it. */
export function insertText(field: HTMLTextAreaElement | null, text: string): void {
  if (field !== null) insertAt(field, text, { start: field.selectionStart, end: field.selectionEnd })
}

/** Puts a text in the place of a stretch of a field's text, and goes on behind it. */
export function insertAt(
  field: HTMLTextAreaElement,
  text: string,
  { start, end }: { start: number; end: number },
): void {
  field.focus()
  field.setRangeText(text, start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

/** Gives a field another text. */
export function replaceText(field: HTMLTextAreaElement, text: string): void {
  insertAt(field, text, { start: 0, end: field.value.length })
}
