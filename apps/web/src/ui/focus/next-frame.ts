/** Maximum wait for a frame. Hidden pages get no frames, but their title must still change. */
const LONGEST_MS = 250

/** Runs the work once, before the next frame. */
export function nextFrame(work: () => void): void {
  const run = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    work()
  }
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(run, LONGEST_MS)
}
