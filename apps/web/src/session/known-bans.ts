const KEY = 'foyer.ban.'

/** Spaces that this browser has seen its user banned from. Only for these an invite page asks for an appeal. */

export function rememberBan(spaceId: string): void {
  window.localStorage.setItem(KEY + spaceId, '1')
}

export function forgetBan(spaceId: string): void {
  window.localStorage.removeItem(KEY + spaceId)
}

export function mayBeBanned(spaceId: string): boolean {
  return window.localStorage.getItem(KEY + spaceId) !== null
}
