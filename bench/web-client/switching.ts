import { setTimeout as delay } from 'node:timers/promises'
import type { Reader } from './reader.ts'
import type { Room } from './scene.ts'

export interface Switches {
  /** Milliseconds from each click until the messages of the clicked room or thread are painted. */
  readonly spansMs: readonly number[]
  readonly workMs: number
}

/** Pause between clicks, so that the room has finished its work. */
const PAUSE_MS = 400
/** Time for which the button is held down, so that work on pointerdown is done before the click. */
const PRESS_MS = 60

/**
 * Switches between rooms or threads whose messages are already loaded, with the links in the list of rooms. The first click
 * on each link is not measured.
 */
export async function switchRooms(reader: Reader, rooms: readonly Room[], count: number): Promise<Switches> {
  await reader.page.evaluate(noteSwitches)
  await reader.page.waitForFunction(() => performance.getEntriesByName('popups loaded').length > 0)
  for (const room of rooms) await go(reader, await middleOf(reader, room))
  const places: Place[] = []
  for (const room of rooms) places.push(await middleOf(reader, room))
  const before = await reader.workSeconds()
  const spansMs: number[] = []
  for (let number = 0; number < count; number += 1) {
    const place = places[number % places.length]
    if (place === undefined) continue
    await delay(PAUSE_MS)
    spansMs.push(await go(reader, place))
  }
  return { spansMs, workMs: (((await reader.workSeconds()) - before) * 1000) / count }
}

interface Place {
  readonly x: number
  readonly y: number
}

/** Returns the middle of a room's link. A click at this position costs the page nothing but the click itself. */
async function middleOf({ page }: Reader, { id, name }: Room): Promise<Place> {
  const link = page.locator(`a[href$="/rooms/${id}"]`)
  await link.scrollIntoViewIfNeeded()
  const box = await link.boundingBox()
  if (box === null) throw new Error(`the link to ${name} is not there`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function go(reader: Reader, { x, y }: Place): Promise<number> {
  const [switched] = await Promise.all([
    reader.nextReport(),
    reader.page.mouse.click(x, y, { delay: PRESS_MS }),
  ])
  return switched
}

/** Runs in the page. Measures the time from a click on a room or thread until its messages are painted. */
function noteSwitches(): void {
  if (Reflect.has(window, 'notesSwitches')) return
  Reflect.set(window, 'notesSwitches', true)
  const isFullView: unknown = Reflect.get(window, 'isFullView')
  if (typeof isFullView !== 'function') throw new Error('the page was not opened by a reader')
  const follow = (name: string, clickedAt: number) => {
    const views = [...document.querySelectorAll('.page, .thread-room')]
    const view = views.find((one) => one.getAttribute('aria-label') === name)
    if (!view?.querySelector('.composer-input') || !isFullView(view)) {
      requestAnimationFrame(() => follow(name, clickedAt))
      return
    }
    const painted = new MessageChannel()
    painted.port1.onmessage = () =>
      Reflect.get(window, 'reportToReader')(String(performance.now() - clickedAt))
    painted.port2.postMessage(null)
  }
  document.addEventListener(
    'click',
    ({ target, timeStamp }) => {
      const link = target instanceof Element ? target.closest('a.room-link, a.room-thread') : null
      const name = link?.querySelector('.room-name')?.textContent
      if (name) requestAnimationFrame(() => follow(name, timeStamp))
    },
    { capture: true },
  )
}
