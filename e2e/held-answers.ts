import type { Page, Route } from 'playwright-core'

/** Responses of the server that are held back from a page. */
export interface HeldAnswers {
  /** Resolves when the server has sent the first held response, which the page has not received. */
  readonly given: Promise<void>
  release(): Promise<void>
}

/** Holds back the responses to matching requests until they are released. */
export async function holdAnswers(page: Page, pattern: string | RegExp): Promise<HeldAnswers> {
  const given = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const handled: Promise<void>[] = []
  async function hold(route: Route): Promise<void> {
    const response = await route.fetch()
    given.resolve()
    await released.promise
    // The page may have cancelled the request.
    await route.fulfill({ response }).catch(() => undefined)
  }
  await page.route(pattern, (route) => handled.push(hold(route)))
  return {
    given: given.promise,
    release: async () => {
      released.resolve()
      // Waits, because Playwright would send a request again that is still held when the route is removed.
      await Promise.all(handled)
      await page.unroute(pattern)
    },
  }
}
