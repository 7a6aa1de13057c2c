import { nextFrame } from '#src/ui/next-frame.ts'

/** So long a field is waited for, at the most. */
const PATIENCE_MS = 2000

/**
 * What a shortcut opens has its field a moment later. What is typed until then is for that field, and would else be written,
 * or sent, where the focus still is.
 */
export function keepKeys(): void {
  // It is there already, and has the keys.
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
  // On many keyboards an @ needs AltGr, which is Ctrl and Alt at once.
  const isChord = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  return event.key.length === 1 && !event.isComposing && !isChord
}

/** As if it had been typed there, up to the first Enter. */
function type(field: HTMLInputElement, keys: readonly string[]): void {
  const entered = keys.indexOf('Enter')
  const text = (entered === -1 ? keys : keys.slice(0, entered)).join('')
  if (text !== '') {
    field.setRangeText(text, field.value.length, field.value.length, 'end')
    field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
  }
  if (entered === -1) return
  // Once what was typed has been looked for.
  nextFrame(() => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    field.dispatchEvent(event)
  })
}
