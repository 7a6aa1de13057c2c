import { nextFrame } from '#src/ui/focus/next-frame.ts'

/** Time to wait for a field to get the focus. On a slow connection, loading the dialog's code takes seconds. */
const PATIENCE_MS = 10_000

/**
 * Keeps typed keys until the dialog that a shortcut opens focuses its field. Otherwise they would go to the element
 * that still has the focus, and Enter might send a message.
 */
export function keepKeys(): void {
  // A field has the focus already, and gets the keys.
  if (document.activeElement instanceof HTMLInputElement) return
  const kept: string[] = []
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(PATIENCE_MS)])
  const end = () => ending.abort()

  const keep = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return end()
    if (!isTyped(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    kept.push(event.key)
  }
  const give = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLInputElement)) return
    end()
    type(target, kept)
  }
  window.addEventListener('keydown', keep, { capture: true, signal })
  window.addEventListener('focusin', give, { signal })
  window.addEventListener('pointerdown', end, { capture: true, signal })
}

function isTyped(event: KeyboardEvent): boolean {
  if (event.key === 'Enter') return true
  // Many keyboards need AltGr for @, which is reported as Ctrl and Alt.
  const isChord = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  return event.key.length === 1 && !event.isComposing && !isChord
}

/** Enters the keys into the field, up to the first Enter. */
function type(field: HTMLInputElement, keys: readonly string[]): void {
  const entered = keys.indexOf('Enter')
  const text = (entered === -1 ? keys : keys.slice(0, entered)).join('')
  if (text !== '') {
    field.setRangeText(text, field.value.length, field.value.length, 'end')
    field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
  }
  if (entered === -1) return
  // Waits until the results for the text are rendered.
  nextFrame(() => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    field.dispatchEvent(event)
  })
}
