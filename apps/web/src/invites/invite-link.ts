/** The address that invites: it works for people who have no account yet too. */
export function inviteLink(code: string): string {
  return `${window.location.origin}/invite/${encodeURIComponent(code)}`
}

/** Whether a host names the computer that it is said on, whichever that is. */
export function isLocalAddress(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The code in what somebody pasted: a link to any server's invite page, or the code alone. Null for neither. */
export function codeOf(pasted: string): string | null {
  const text = pasted.trim()
  const code = /\/invite\/([^/?#\s]+)/.exec(text)?.[1] ?? text
  return /^[\w-]{1,64}$/.test(code) ? code : null
}
