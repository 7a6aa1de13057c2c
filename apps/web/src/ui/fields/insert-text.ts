/** Replaces the field's selection with a text, as if it was typed, and puts the caret after it. */
export function insertText(field: HTMLTextAreaElement | null, text: string): void {
  if (field !== null) insertAt(field, text, { start: field.selectionStart, end: field.selectionEnd })
}

/** Replaces a range of the field's text, and puts the caret after it. */
export function insertAt(
  field: HTMLTextAreaElement,
  text: string,
  { start, end }: { start: number; end: number },
): void {
  field.focus()
  field.setRangeText(text, start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

/** Replaces the whole text of a field. */
export function replaceText(field: HTMLTextAreaElement, text: string): void {
  insertAt(field, text, { start: 0, end: field.value.length })
}
