import type { Locator } from 'playwright-core'
import { eventually } from './eventually.ts'

/** Waits until the only video in the element plays: it has a size, and its time advances. */
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
    // The time starts at 0 again when the video arrives over a new connection.
    start = Math.min(start, time)
    return time > start && width > 0
  }, true)
}
