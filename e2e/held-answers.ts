import type { Page, Route } from 'playwright-core'

/** Answers of the server that a page waits for. */
export interface HeldAnswers {
  /** Fulfilled when the server has given the first answer, which the page does not have yet. */
  readonly given: Promise<void>
  release(): Promise<void>
}

/** Keeps the answers to matching requests from the page until they are released. */
export async function holdAnswers(page: Page, pattern: string | RegExp): Promise<HeldAnswers> {
  const given = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const handled: Promise<void>[] = []
  async function hold(route: Route): Promise<void> {
    const response = await route.fetch()
    given.resolve()
    await released.promise
    // The page may have given up the request.
    await route.fulfill({ response }).catch(() => undefined)
  }
  await page.route(pattern, (route) => handled.push(hold(route)))
  return {
    given: given.promise,
    release: async () => {
      released.resolve()
      // Requests still held when the route is removed would be sent again.
      await Promise.all(handled)
      await page.unroute(pattern)
    },
  }
}
