/** Elapsed time as a clock, such as `1:02:03`. */
export function elapsedClock(ms: number): string {
  // The start time is from another machine's clock and may be in the future.
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const [mm, ss] = [minutes, seconds % 60].map((part) => String(part).padStart(2, '0'))
  return hours === 0 ? `${minutes}:${ss}` : `${hours}:${mm}:${ss}`
}
