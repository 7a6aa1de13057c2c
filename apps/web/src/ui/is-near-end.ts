/** So far before its end more of a list is asked for. */
const EDGE_PX = 400

/** Whether what scrolls has little left below. */
export function isNearEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < EDGE_PX
}
