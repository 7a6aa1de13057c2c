/** Whether the page is used with fingers first. */
export function isTouch(): boolean {
  return window.matchMedia('(pointer: coarse)').matches
}
