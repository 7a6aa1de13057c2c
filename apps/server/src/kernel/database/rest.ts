/** After a change with up to this many events, the tenant's next change begins immediately. */
const FEW_EVENTS = 20
const REST_PER_EVENT_MS = 0.4
const MAX_REST_MS = 250

/**
 * Returns the milliseconds until the tenant's next change may begin. A change with many events costs every process
 * that delivers them, so a series of such changes must leave time for everyone else.
 */
export function restAfter({ events }: { readonly events: readonly unknown[] }): number {
  return events.length > FEW_EVENTS ? Math.min(events.length * REST_PER_EVENT_MS, MAX_REST_MS) : 0
}
