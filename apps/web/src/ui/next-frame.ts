/** Hidden pages draw nothing; what happens meanwhile must reach their title all the same. */
const LONGEST_MS = 250

/** Runs the work once, before the next picture is drawn. @returns what has it not run, if it has not yet */
export function nextFrame(work: () => void): () => void {
  const stop = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  const run = () => {
    stop()
    work()
  }
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(run, LONGEST_MS)
  return stop
}

/** Runs the work once, when the next picture was drawn. @returns what has it not run, if it has not yet */
export function afterFrame(work: () => void): () => void {
  let stop = nextFrame(() => {
    stop = nextFrame(work)
  })
  return () => stop()
}
