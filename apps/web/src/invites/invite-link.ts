/** The address that invites: it works for people who have no account yet too. */
export function inviteLink(code: string): string {
  return `${window.location.origin}/invite/${encodeURIComponent(code)}`
}

/** The code in what somebody pasted: a link to any server's invite page, or the code alone. Null for neither. */
export function codeOf(pasted: string): string | null {
  const text = pasted.trim()
  const code = /\/invite\/([^/?#\s]+)/.exec(text)?.[1] ?? text
  return /^[\w-]{1,64}$/.test(code) ? code : null
}
