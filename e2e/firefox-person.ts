import { TOKEN_STORAGE_HEADER } from '@foyer/protocol/token-names'
import { Client } from '@foyer/sdk/client'
import { eventually } from './eventually.ts'
import { Firefox } from './firefox.ts'
import { gather, type Settled } from './settled.ts'

/** A user in Firefox who shares a space with a user in Chromium. */
export class FirefoxPerson {
  readonly firefox: Firefox

  /**
   * Creates the account jonas and a space of the host with a room #general and a voice room. Opens the space in both browsers.
   * @param url address of the server
   */
  static async join(host: Settled, url: string): Promise<FirefoxPerson> {
    const { person } = host
    const firefox = await Firefox.open()
    const client = new Client({ baseUrl: url })
    const account = { username: 'jonas', email: 'jonas@example.org', password: person.password }
    const { user } = await client.auth.signin(account)
    const { space } = await gather('Sunday hikers', [host, { person, client, id: user.id }])
    await person.page.goto(`/spaces/${space.id}`)
    await person.composer('general').waitFor()
    await firefox.goto(`${url}/favicon.svg`)
    const login = {
      method: 'POST',
      headers: { 'content-type': 'application/json', [TOKEN_STORAGE_HEADER]: 'cookie' },
      body: JSON.stringify({ email: 'jonas', password: person.password }),
    }
    await firefox.evaluate(`fetch('/api/auth/login', ${JSON.stringify(login)})
      .then((answer) => answer.text()).then((tokens) => localStorage.setItem('foyer.session', tokens))`)
    await firefox.goto(`${url}/spaces/${space.id}`)
    return new FirefoxPerson(firefox)
  }

  private constructor(firefox: Firefox) {
    this.firefox = firefox
  }

  /** Joins the voice room. `window.peers` then has the connections of the page. */
  async enterLounge(): Promise<void> {
    const { firefox } = this
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
  }

  /** Waits for a button with exactly this name, and clicks it. */
  async press(name: string): Promise<void> {
    const button = `[...document.querySelectorAll('button')].find((each) =>
      (each.getAttribute('aria-label') ?? each.textContent).trim() === ${JSON.stringify(name)})`
    await eventually(() => this.firefox.evaluate(`${button} !== undefined`), 'true')
    await this.firefox.click(button)
  }

  /** Lets the page share a drawing as its screen, because Firefox has no screen to share without a display. */
  async drawScreen(): Promise<void> {
    await this.firefox.evaluate(`void (
      navigator.mediaDevices.getDisplayMedia = async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 })
        const pen = canvas.getContext('2d')
        setInterval(() => {
          pen.fillStyle = 'hsl(' + (performance.now() % 360) + ' 50% 50%)'
          pen.fillRect(0, 0, 640, 360)
        }, 100)
        return canvas.captureStream(10)
      }
    )`)
  }

  /** Returns the number of videos of others that play: they have a size, and their time advances. */
  async movingPictures(): Promise<number> {
    return Number(
      await this.firefox.evaluate(`(async () => {
        const shown = [...document.querySelectorAll('main video[data-shown]')]
          .filter(({ srcObject }) => !window.peers.at(-1).getSenders().some(({ track }) => srcObject?.getTracks().includes(track)))
        const before = shown.map(({ currentTime }) => currentTime)
        await new Promise((resolve) => setTimeout(resolve, 500))
        return shown.filter(({ currentTime, videoWidth }, index) => currentTime > before[index] && videoWidth > 0).length
      })()`),
    )
  }

  async close(): Promise<void> {
    await this.firefox.close()
  }
}
