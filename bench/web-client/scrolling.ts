import type { Reader } from './reader.ts'

export interface Scrolling {
  readonly frames: number
  readonly seconds: number
  /** Frames in which the visible message did not move by the scrolled distance. */
  readonly jumps: number
  /** Frames in which positions could be compared. */
  readonly compared: number
  /** Number of the oldest message that came into view, which its text contains. */
  readonly oldest: number
  readonly workMs: number
}

interface ScrollPlan {
  /** Pixels per frame, towards older messages. */
  step: number
  /** Number of the message to scroll to. */
  until: number
  maxSeconds: number
}

/**
 * Scrolls back through the history as fast as it loads, and checks in each frame that messages moved by the scrolled distance.
 */
export async function scrollBack(reader: Reader, plan: ScrollPlan): Promise<Scrolling> {
  const before = await reader.workSeconds()
  const seen = await reader.page.evaluate(scrollInPage, plan)
  const work = (await reader.workSeconds()) - before
  return { ...seen, workMs: (work * 1000) / seen.frames }
}

async function scrollInPage({ step, until, maxSeconds }: ScrollPlan) {
  const box = document.querySelector('.message-scroller')
  if (box === null) throw new Error('nothing scrolls')
  const view = box.getBoundingClientRect()
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  // Takes the row at a fifth of the view's height, which is still in view after the next step.
  const rowAt = () =>
    document.elementFromPoint(view.x + view.width / 2, view.y + view.height / 5)?.closest('[data-row]')
  const numberOf = (row: Element) => Number(/Message number (\d+)/.exec(row.textContent ?? '')?.[1])
  const counts = { frames: 0, jumps: 0, compared: 0, oldest: Number.POSITIVE_INFINITY }
  const startedAt = await frame()
  let now = startedAt
  while (counts.oldest > until && now - startedAt < maxSeconds * 1000) {
    const row = rowAt()
    const top = row?.getBoundingClientRect().top ?? 0
    const moved = Math.min(step, box.scrollTop)
    box.scrollTop -= moved
    now = await frame()
    counts.frames += 1
    if (row === null || row === undefined) continue
    counts.oldest = Math.min(counts.oldest, numberOf(row) || counts.oldest)
    if (!row.isConnected || moved < step || top + moved > view.bottom) continue
    counts.compared += 1
    if (Math.abs(row.getBoundingClientRect().top - top - moved) > 1) counts.jumps += 1
  }
  return { ...counts, seconds: (now - startedAt) / 1000 }
}
