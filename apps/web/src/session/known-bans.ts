const KEY = 'foyer.ban.'

/** Remembers in this browser which spaces the user is banned from. An invite page requests the ban only for these spaces. */

export function rememberBan(spaceId: string): void {
  window.localStorage.setItem(KEY + spaceId, '1')
}

export function forgetBan(spaceId: string): void {
  window.localStorage.removeItem(KEY + spaceId)
}

export function mayBeBanned(spaceId: string): boolean {
  return window.localStorage.getItem(KEY + spaceId) !== null
}
