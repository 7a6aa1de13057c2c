/** Time in which another notification of a raid, from the page or a push, counts as the same raid. */
const SAME_RAID_MS = 5 * 60_000

/** Returns true if the notification was shown so recently that it is about the same raid, not an earlier one. */
export function isRecentRaid({ data }: Pick<Notification, 'data'>, now = Date.now()): boolean {
  return typeof data?.shown_at === 'number' && now - data.shown_at < SAME_RAID_MS
}
