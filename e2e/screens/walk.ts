import { enterSection, leavePage, type SettingsTour, sectionsOf } from './settings-tours.ts'
import type { Screen, Visitor } from './visitor.ts'

/** Checks an open screen. Returns its problems. */
export type Look = (visitor: Visitor, screen: Pick<Screen, 'name' | 'part'>) => Promise<string[]>

/** Opens, checks and leaves one screen after another. A screen that does not open is a finding, too. */
export async function walk(visitor: Visitor, screens: readonly Screen[], look: Look): Promise<string[]> {
  const findings: string[] = []
  for (const screen of screens) {
    const { name, open, close } = screen
    findings.push(
      ...(await visit(
        name,
        () => open(visitor),
        () => look(visitor, screen),
      )),
    )
    findings.push(...(await visit(`after ${name}`, () => close?.(visitor) ?? visitor.leave())))
  }
  return findings
}

export async function walkSettings(visitor: Visitor, tour: SettingsTour, look: Look): Promise<string[]> {
  const see = (name: string) => () => look(visitor, { name: `${tour.name}-${name}` })
  const open = async () => {
    await tour.open(visitor)
    await visitor.dialog(tour.title).waitFor()
  }
  const findings = await visit(tour.name, open, see('sections'))
  for (const section of await sectionsOf(visitor, tour)) {
    const enter = () => enterSection(visitor, tour.title, section)
    findings.push(...(await visit(`${tour.name}-${section}`, enter, see(section))))
    for (const page of tour.pages.filter((one) => one.section === section)) {
      const openAndSee = () => page.open(visitor)
      findings.push(...(await visit(`${tour.name}-${page.name}`, openAndSee, see(page.name))))
      findings.push(...(await visit(`after ${tour.name}-${page.name}`, () => leavePage(visitor, page))))
    }
  }
  findings.push(...(await visit(`after ${tour.name}`, () => visitor.leave())))
  return findings
}

async function visit(
  name: string,
  open: () => Promise<void>,
  look: () => Promise<string[]> = async () => [],
): Promise<string[]> {
  try {
    await open()
    return (await look()).map((finding) => `${name}: ${finding}`)
  } catch (error) {
    return [`${name}: ${String(error).split('\n').slice(0, 3).join(' ')}`]
  }
}
