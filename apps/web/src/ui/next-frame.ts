/** Hidden pages draw nothing; what happens meanwhile must reach their title all the same. */
const LONGEST_MS = 250

/** Runs the work once, before the next picture is drawn. */
export function nextFrame(work: () => void): void {
  const run = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    work()
  }
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(run, LONGEST_MS)
}
