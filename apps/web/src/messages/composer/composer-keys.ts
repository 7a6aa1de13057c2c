import type { KeyboardEvent } from 'react'
import { isInFence } from '#src/ui/fields/code-fence.ts'
import { replaceText } from '#src/ui/fields/insert-text.ts'
import { isTouch } from '#src/ui/is-touch.ts'
import { marksFor, wrapped } from './wrap-selection.ts'

interface ComposerKeys {
  readonly content: string
  readonly hasReply: boolean
  send(silently: boolean): void
  dropReply(): void
  editLast(): void
}

/** Returns the composer's keydown handler. */
export function composerKeys(keys: ComposerKeys) {
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const action = actionOf(event, keys)
    if (action === undefined) return
    event.preventDefault()
    action()
  }
}

function actionOf(
  event: KeyboardEvent<HTMLTextAreaElement>,
  { content, hasReply, send, dropReply, editLast }: ComposerKeys,
): (() => void) | undefined {
  const { key, shiftKey, ctrlKey, metaKey, altKey, currentTarget } = event
  const hasMod = ctrlKey || metaKey
  // With a modifier, ArrowUp switches to the room above.
  const isAlone = !hasMod && !shiftKey && !altKey
  if (key === 'ArrowUp' && isAlone && content === '') return editLast
  if (key === 'Escape' && hasReply) return dropReply
  if (key === 'Enter' && hasMod && shiftKey) return () => send(true)
  if (key === 'Enter' && hasMod) return () => send(false)
  if (key === 'Enter' && isSendingKey(event)) return () => send(false)
  const marks = hasMod && !shiftKey && !altKey ? marksFor(key) : undefined
  return marks === undefined ? undefined : () => wrap(currentTarget, marks)
}

/**
 * Returns true if Enter sends. On touch keyboards, which lack Shift+Enter, and inside code blocks, it inserts a
 * line break.
 */
export function isSendingKey({ shiftKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const { value, selectionStart } = currentTarget
  return !shiftKey && !isTouch() && !isInFence(value, selectionStart)
}

function wrap(field: HTMLTextAreaElement, marks: string): void {
  const { value, selectionStart, selectionEnd } = field
  const after = wrapped({ text: value, start: selectionStart, end: selectionEnd }, marks)
  replaceText(field, after.text)
  field.setSelectionRange(after.start, after.end)
}
