/** Extracts the code from pasted text: the link of an invite to any server, or the bare code. Null for anything else. */
export function codeOf(pasted: string): string | null {
  const text = pasted.trim()
  const code = /\/(?:invite|sign-up)\/([^/?#\s]+)/.exec(text)?.[1] ?? text
  return /^[\w-]{1,64}$/.test(code) ? code : null
}
