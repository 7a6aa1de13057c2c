import { t } from '#src/language/texts.ts'

/** Shown when copying failed. */
export const notCopied = t('Couldn’t copy. Your browser doesn’t allow it here.')

/** Copies a text and resolves to true on success. Browsers offer no clipboard on pages served without TLS. */
export async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

/**
 * The deprecated fallback, which all browsers still support. The command copies the selection, and the listener replaces
 * it with the text. Focus and selection do not change, so it works in dialogs that trap the focus.
 */
function copyByCommand(text: string): boolean {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  let isPut = false

  function put(event: ClipboardEvent) {
    if (event.clipboardData === null) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
    isPut = true
  }
  document.addEventListener('copy', put, options)
  // Without a selection, Safari only copies if `beforecopy` was cancelled.
  document.addEventListener('beforecopy', (event) => event.preventDefault(), options)
  try {
    return document.execCommand('copy') && isPut
  } finally {
    listening.abort()
  }
}
