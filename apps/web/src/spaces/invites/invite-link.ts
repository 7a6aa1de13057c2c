/** The link of an invite. It also works for people without an account. */
export function inviteLink(code: string): string {
  return `${window.location.origin}/invite/${encodeURIComponent(code)}`
}

/** Returns true for loopback hosts, which other computers cannot reach. */
export function isLocalAddress(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Extracts the code from pasted text: a link to any server's invite page, or the bare code. Null for anything else. */
export function codeOf(pasted: string): string | null {
  const text = pasted.trim()
  const code = /\/invite\/([^/?#\s]+)/.exec(text)?.[1] ?? text
  return /^[\w-]{1,64}$/.test(code) ? code : null
}
