import type { Browser, Page } from 'playwright-core'
import { Person } from '../../e2e/person.ts'
import type { Program } from '../../e2e/program.ts'
import { gather, settlePerson } from '../../e2e/settled.ts'

/** Lets one user share a screen that another starts to watch again and again. Returns the waits in milliseconds. */
export async function measureFirstPictures(
  program: Program,
  browser: Browser,
  clicks: number,
): Promise<number[]> {
  const arrive = async (name: string) =>
    settlePerson(await Person.arrive({ browser, name, url: program.url }))
  const [mira, jonas] = await Promise.all([arrive('mira'), arrive('jonas')])
  const { space } = await gather('Sunday hikers', [mira, jonas])
  for (const { person } of [mira, jonas]) {
    await person.page.goto(`/spaces/${space.id}`)
    await person.room('lounge').click()
    await person.page.getByText('Voice connected').first().waitFor()
  }
  const main = (page: Page) => page.getByRole('main')
  await main(mira.person.page).getByRole('button', { name: 'Share screen', exact: true }).click()
  await mira.person.button('Choose what to share').click()
  const { page } = jonas.person
  const waitsMs: number[] = []
  for (let click = 0; click < clicks; click += 1) {
    await main(page).getByRole('button', { name: 'Watch stream' }).waitFor()
    waitsMs.push(await page.evaluate(watchStream))
    await main(page).getByRole('button', { name: 'Stop watching' }).click()
  }
  return waitsMs
}

/** Clicks, and returns the milliseconds until the stream has a frame. Runs in the page. */
async function watchStream(): Promise<number> {
  const buttons = [...document.querySelectorAll<HTMLElement>('main button')]
  const beganAt = performance.now()
  buttons.find(({ textContent }) => textContent?.trim() === 'Watch stream')?.click()
  const isShown = () => {
    const video = document.querySelector<HTMLVideoElement>('main video[data-shown]')
    return (video?.getVideoPlaybackQuality().totalVideoFrames ?? 0) > 0
  }
  while (!isShown()) await new Promise((resolve) => requestAnimationFrame(resolve))
  return performance.now() - beganAt
}
