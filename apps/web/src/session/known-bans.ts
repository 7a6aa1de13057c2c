const KEY = 'foyer.ban.'

/** Spaces from which this browser has found its user banned. An invite page requests an appeal only for these. */

export function rememberBan(spaceId: string): void {
  window.localStorage.setItem(KEY + spaceId, '1')
}

export function forgetBan(spaceId: string): void {
  window.localStorage.removeItem(KEY + spaceId)
}

export function mayBeBanned(spaceId: string): boolean {
  return window.localStorage.getItem(KEY + spaceId) !== null
}
