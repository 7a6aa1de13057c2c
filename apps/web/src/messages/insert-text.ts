/** Puts a text in the place of what is selected in a field, as if it was typed there, and goes on behind it. */
export function insertText(field: HTMLTextAreaElement | null, text: string): void {
  if (field === null) return
  field.focus()
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}
