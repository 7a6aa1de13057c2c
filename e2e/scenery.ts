import { choose, isDrawn, send, shown, stored } from './attaching.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { chooseFiles, closeSettings, openSpaceSettings } from './settings.ts'

const SPACE = 'Sunday hikers'
const EVENING = picture('evening.png', { width: 900, height: 700, sky: [232, 120, 70] })
const MORNING = picture('morning.png', { width: 900, height: 600, sky: [92, 150, 226] })
const NIGHT = picture('night.png', { width: 900, height: 600, sky: [80, 62, 140] })

/** Adds avatars, a space icon, and photos posted by the guest, for the pictures of the documentation. */
export async function furnish(host: Person, guest: Person): Promise<void> {
  await openSpaceSettings(host, SPACE, 'Overview')
  await give(host, 'Space icon', EVENING)
  await closeSettings(host, SPACE)
  for (const [person, face] of [
    [host, MORNING],
    [guest, NIGHT],
  ] as const) {
    await person.button(/^Account: /).click()
    await person.button('User settings').click()
    await give(person, 'Avatar', face)
    await closeSettings(person, 'User settings')
  }
  await choose(guest, [EVENING, MORNING, NIGHT])
  await eventually(() => stored(guest), 3)
  await send(guest)
  for (const { name } of [EVENING, MORNING, NIGHT]) await eventually(() => isDrawn(shown(host, name)), true)
}

async function give(person: Person, label: string, file: typeof EVENING): Promise<void> {
  await chooseFiles(person.button(`Choose: ${label}`), [file])
  await person.button('Use picture').click()
  await person.page.getByRole('dialog', { name: label }).waitFor({ state: 'detached' })
}
