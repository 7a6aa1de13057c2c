export interface Throttle {
  run(): void
  /** Cancels a pending run. */
  stop(): void
}

/** Runs the action immediately, and then at most once in each span, with a last run for the calls in between. */
export function throttle(action: () => void, spanMs: number): Throttle {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsked = false

  function start() {
    isAsked = false
    timer = setTimeout(end, spanMs)
    action()
  }
  function end() {
    timer = undefined
    if (isAsked) start()
  }

  return {
    run() {
      if (timer === undefined) start()
      else isAsked = true
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      isAsked = false
    },
  }
}
