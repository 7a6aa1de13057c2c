/** True if touch is the primary input. */
export function isTouch(): boolean {
  return window.matchMedia('(pointer: coarse)').matches
}
