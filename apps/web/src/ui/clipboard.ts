import { t } from '#src/language/texts.ts'

/** For who asked for a copy and did not get it. */
export const notCopied = t('It was not copied: the browser does not allow that here.')

/** Copies a text, and tells whether it worked: browsers withhold the clipboard from pages served without TLS. */
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
 * The only way that is left, and gone from no browser yet. The command copies what is selected, and the text takes the place
 * of that while it does: focus and selection stay where they are, also in a dialog that lets the focus nowhere else.
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
  // Where nothing is selected, Safari copies only what a page says before that it has.
  document.addEventListener('beforecopy', (event) => event.preventDefault(), options)
  try {
    return document.execCommand('copy') && isPut
  } finally {
    listening.abort()
  }
}
