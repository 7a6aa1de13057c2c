/** The link of an invite. It also works for people without an account. */
export function inviteLink(code: string): string {
  return `${window.location.origin}/invite/${encodeURIComponent(code)}`
}

/** Returns true for loopback hosts, which other computers cannot reach. */
export function isLocalAddress(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
