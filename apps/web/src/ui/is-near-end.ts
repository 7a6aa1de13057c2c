/** Distance to the end of a list at which more is loaded. */
const EDGE_PX = 400

/** True if the element is scrolled close to its end. */
export function isNearEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < EDGE_PX
}
