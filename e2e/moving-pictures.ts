import type { Locator } from 'playwright-core'
import { eventually } from './eventually.ts'

/** Waits until the only picture within moves: it has a size, and its time goes on. */
export async function seesPicture(within: Locator): Promise<void> {
  const picture = within.locator('video[data-shown]')
  await picture.waitFor()
  const times = () =>
    picture.evaluate((video) =>
      video instanceof HTMLVideoElement ? [video.currentTime, video.videoWidth] : [],
    )
  let [start = 0] = await times()
  await eventually(async () => {
    const [time = 0, width = 0] = await times()
    // Another connection has a time of its own, which begins anew.
    start = Math.min(start, time)
    return time > start && width > 0
  }, true)
}
