import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { isForDocumentation } from './pictures.ts'
import { DIALOGS } from './screens/dialogs.ts'
import { lookOnBoth, lookOnDesktop, lookOnPhone } from './screens/inspection.ts'
import { TOURS } from './screens/settings-tours.ts'
import { beginTour, policyViolations, type Tour } from './screens/tour-guide.ts'
import { DESKTOP, PHONE, Visitor } from './screens/visitor.ts'
import { VOICE } from './screens/voice.ts'
import { type Look, walk, walkSettings } from './screens/walk.ts'
import { Stage } from './stage.ts'

/** Reason to skip tests that take two minutes of CPU in all. E2E_PICTURES=1 runs them. */
const unlessAsked = isForDocumentation ? false : 'E2E_PICTURES=1 looks there, too'

/** Dialogs and settings, which open from the sidebar (a drawer on phones), and voice screens. */
describe('accessibility of settings and creation dialogs', { skip: noBrowser }, () => {
  let stage: Stage
  let tour: Tour

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    tour = await beginTour(stage)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  async function lookAround(look: Look): Promise<string[]> {
    const visitor = new Visitor(tour.mira, tour)
    const findings = await walk(visitor, DIALOGS, look)
    for (const settings of TOURS) findings.push(...(await walkSettings(visitor, settings, look)))
    return findings
  }

  test('axe finds nothing on a desktop in the light theme', async () => {
    await tour.mira.page.setViewportSize(DESKTOP)
    assert.deepEqual(await lookAround(lookOnDesktop), [])
  })

  test('axe finds nothing in voice, and everything fits', async () => {
    assert.deepEqual(await walk(new Visitor(tour.mira, tour), VOICE, lookOnBoth), [])
  })

  test('axe finds nothing on a phone in the dark theme, and nothing overflows the narrowest one', {
    skip: unlessAsked,
  }, async () => {
    await tour.mira.page.setViewportSize(PHONE)
    assert.deepEqual(await lookAround(lookOnPhone), [])
  })

  test('nothing violated the content security policy, or was loaded from elsewhere', () => {
    assert.deepEqual(policyViolations(tour), [])
  })
})
