const STEP_SECONDS = 5

interface SeekKey {
  readonly key: string
  readonly isRightToLeft: boolean
}

/** Returns the position after a key of the seek bar, in seconds; null for other keys. */
export function positionAfter(
  { key, isRightToLeft }: SeekKey,
  { at, length }: { at: number; length: number },
): number | null {
  const ahead = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const back = isRightToLeft ? 'ArrowRight' : 'ArrowLeft'
  const positions: Readonly<Record<string, number>> = {
    [ahead]: at + STEP_SECONDS,
    ArrowUp: at + STEP_SECONDS,
    [back]: at - STEP_SECONDS,
    ArrowDown: at - STEP_SECONDS,
    Home: 0,
    End: length,
  }
  const position = positions[key]
  return position === undefined ? null : Math.min(length, Math.max(0, position))
}
