import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { TOKEN_STORAGE_HEADER } from '@foyer/protocol/token-names'
import { Client } from '@foyer/sdk/client'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Firefox, noFirefox } from './firefox.ts'
import { gather, type Settled, settle } from './settled.ts'
import { voiceCounter, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('a voice room with Firefox', { skip: noBrowser || noFirefox }, () => {
  let stage: Stage
  let firefox: Firefox
  let mira: Settled

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    ;[mira, firefox] = await Promise.all([settle(stage, 'mira'), Firefox.open()])
    const { url } = stage.program
    const client = new Client({ baseUrl: url })
    const { user } = await client.auth.signin({
      username: 'jonas',
      email: 'jonas@example.org',
      password: mira.person.password,
    })
    const { space } = await gather('Sunday hikers', [mira, { person: mira.person, client, id: user.id }])
    await watchSound(mira.person.page)
    await mira.person.page.goto(`/spaces/${space.id}`)
    await mira.person.composer('general').waitFor()
    await firefox.goto(`${url}/favicon.svg`)
    const login = {
      method: 'POST',
      headers: { 'content-type': 'application/json', [TOKEN_STORAGE_HEADER]: 'cookie' },
      body: JSON.stringify({ email: 'jonas', password: mira.person.password }),
    }
    await firefox.evaluate(`fetch('/api/auth/login', ${JSON.stringify(login)})
      .then((answer) => answer.text()).then((tokens) => localStorage.setItem('foyer.session', tokens))`)
    await firefox.goto(`${url}/spaces/${space.id}`)
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await firefox?.close()
    await stage?.close()
  })

  test('both users hear each other', async () => {
    // Records the connections that the page makes from here on.
    await firefox.evaluate(`void (
      window.peers = [],
      window.RTCPeerConnection = class extends RTCPeerConnection {
        constructor(configuration) { super(configuration); window.peers.push(this) }
      }
    )`)
    const link = `document.querySelector('nav[aria-label="Rooms"] a[aria-label^="lounge"]')`
    await eventually(() => firefox.evaluate(`${link} !== null`), 'true')
    await firefox.evaluate(`${link}.click()`)
    await eventually(() => firefox.evaluate(`document.body.innerText.includes('Voice connected')`), 'true')
    await mira.person.room('lounge').click()
    await mira.person.page.getByRole('main').getByText('jonas, speaking').waitFor()
    await eventually(await voiceCounter(mira.person.page), 1)
    const energy = `window.peers.at(-1).getStats().then((stats) =>
      [...stats.values()].some((report) => report.type === 'inbound-rtp' && report.totalAudioEnergy > 0))`
    await eventually(() => firefox.evaluate(energy), 'true')
    assert.deepEqual(mira.person.complaints, [])
  })

  test('QUIET-6: the strong noise suppression loads in Firefox, too, under the policy of the page, and sound keeps flowing', async () => {
    const press = async (label: string) => {
      const control = `document.querySelector('[aria-label="${label}"]')`
      await eventually(() => firefox.evaluate(`${control} !== null`), 'true')
      await firefox.evaluate(`${control}.click()`)
    }
    const sent = `window.peers.at(-1).getSenders()[0].track`
    const plain = await firefox.evaluate(`${sent}.id`)
    await press('Voice settings')
    await press('Strong noise suppression')
    // Without a device for sound, Firefox starts no worklet: then it goes on waiting for a click.
    const texts = `document.body.innerText`
    const hasLoaded = `${texts}.includes('starts with your next click') || ${sent}.label !== 'Default Audio Device'`
    await eventually(() => firefox.evaluate(hasLoaded), 'true')
    assert.equal(await firefox.evaluate(`${texts}.includes('couldn’t be loaded')`), 'false')
    await eventually(() => firefox.evaluate(`${sent}.id !== '${plain}' && ${sent}.readyState`), 'live')
    assert.equal(await firefox.evaluate('window.peers.length'), '1')
  })
})
