/** Copies a text, and tells whether it worked: browsers withhold the clipboard from pages served without TLS. */
export async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    // Copies what is selected: the only way that is left, and gone from no browser yet.
    return document.execCommand('copy')
  }
}
