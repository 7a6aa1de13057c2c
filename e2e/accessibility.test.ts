import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { isForDocumentation } from './pictures.ts'
import { lookInContrast, lookOnBoth } from './screens/inspection.ts'
import { LAYERS } from './screens/layers.ts'
import { OUTSIDE } from './screens/outside.ts'
import { PAGES } from './screens/pages.ts'
import { beginTour, policyViolations, type Tour } from './screens/tour-guide.ts'
import { Visitor } from './screens/visitor.ts'
import { walk } from './screens/walk.ts'
import { Stage } from './stage.ts'

/** Reason to skip tests that take two minutes of CPU in all. E2E_PICTURES=1 runs them. */
const unlessAsked = isForDocumentation ? false : 'E2E_PICTURES=1 looks there, too'

/** The other half of the screens is in accessibility-settings.test.ts, so that both run in parallel. */
describe('accessibility of pages and overlays', { skip: noBrowser }, () => {
  let stage: Stage
  let tour: Tour

  before(async () => {
    stage = await Stage.open()
    tour = await beginTour(stage)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('axe finds nothing on the signed-out pages on a desktop and a phone, and everything fits', async () => {
    assert.deepEqual(await walk(new Visitor(tour.stranger, tour), OUTSIDE, lookOnBoth), [])
  })

  test('axe finds nothing on the pages', async () => {
    assert.deepEqual(await walk(new Visitor(tour.mira, tour), PAGES, lookOnBoth), [])
  })

  test('axe finds nothing in overlays', { skip: unlessAsked }, async () => {
    assert.deepEqual(await walk(new Visitor(tour.mira, tour), LAYERS, lookOnBoth), [])
  })

  test('axe finds nothing with more contrast', { skip: unlessAsked }, async () => {
    const main = ['home', 'friends-all', 'room', 'message-menu', 'profile', 'emoji-picker']
    const screens = [...PAGES, ...LAYERS].filter(({ name }) => main.includes(name))
    assert.equal(screens.length, main.length)
    assert.deepEqual(await walk(new Visitor(tour.mira, tour), screens, lookInContrast), [])
  })

  test('nothing violated the content security policy, or was loaded from elsewhere', () => {
    assert.deepEqual(policyViolations(tour), [])
  })
})
