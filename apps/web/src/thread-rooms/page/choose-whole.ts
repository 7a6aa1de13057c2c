import { WHOLE } from '#src/thread-rooms/in-use/beside.ts'

/** Shows threads as whole pages from now on, or beside their room. */
export function chooseWhole(isWhole: boolean): void {
  if (isWhole) window.localStorage.setItem(WHOLE, '1')
  else window.localStorage.removeItem(WHOLE)
  window.dispatchEvent(new Event(WHOLE))
}
