import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { takePicture } from './pictures.ts'

export interface PersonOptions {
  browser: Browser
  name: string
  /** Where this browser finds the server. */
  url: string
  /** Whether the service worker is installed, which fetches the whole client. */
  worker?: boolean
  /** The language that the browser asks for, and what it writes times and numbers by. */
  locale?: string
}

const WINDOW = { width: 1280, height: 800 }
const PATIENCE_MS = 30_000
/** What the browser says where no service worker is wanted. */
const WORKER_BLOCKED = 'Service Worker registration blocked'
const PASSWORD = 'correct horse battery'

/** Somebody with a browser of their own, who acts by what the screen says. */
export class Person {
  readonly name: string
  readonly context: BrowserContext
  readonly page: Page
  /** What the browser's console had to say that is worth a look. */
  complaints: string[] = []

  static async arrive({
    browser,
    name,
    url,
    worker = false,
    locale = 'en-GB',
  }: PersonOptions): Promise<Person> {
    const context = await browser.newContext({
      baseURL: url,
      viewport: WINDOW,
      locale,
      serviceWorkers: worker ? 'allow' : 'block',
    })
    context.setDefaultTimeout(PATIENCE_MS)
    return new Person(name, context, await context.newPage())
  }

  private constructor(name: string, context: BrowserContext, page: Page) {
    this.name = name
    this.context = context
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      const isComplaint = ['error', 'warning'].includes(message.type())
      if (isComplaint && !message.text().startsWith(WORKER_BLOCKED)) this.complaints.push(message.text())
    })
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  field(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true })
  }

  composer(room: string): Locator {
    return this.field(`Message #${room}`)
  }

  /** Fills in the screen for new accounts. */
  async signUp(): Promise<void> {
    await this.field('Username').fill(this.name)
    await this.field('Email').fill(`${this.name}@example.org`)
    await this.page.getByLabel('Password').fill(PASSWORD)
    await this.button('Create account').click()
  }

  async createSpace(name: string): Promise<void> {
    await this.page.getByRole('main').getByRole('button', { name: 'Create a space' }).click()
    await this.field('Space name').fill(name)
    await this.button('Create space').click()
    await this.composer('general').waitFor()
  }

  /** @returns the link's path: others reach the server by addresses of their own */
  async makeInvite(): Promise<string> {
    const link = this.field('Invite link')
    // A new space also offers it below, among its first steps.
    await this.button('Invite people').first().click()
    await eventually(async () => (await link.inputValue()).includes('/invite/'), true)
    const { pathname } = new URL(await link.inputValue())
    await this.picture('invite-dialog')
    await this.button('Close').click()
    await link.waitFor({ state: 'detached' })
    return pathname
  }

  async say(text: string): Promise<void> {
    await this.composer('general').fill(text)
    await this.composer('general').press('Enter')
  }

  /** The message with this text. */
  message(text: string): Locator {
    return this.page.getByRole('log').getByRole('listitem').filter({ hasText: text })
  }

  /** Points at the message until its tools are there, as what comes meanwhile moves it away from under the pointer. */
  async pointAt(message: Locator): Promise<void> {
    const tools = message.getByRole('toolbar', { name: 'Message' })
    const hasTools = async () => {
      // Where the pointer is already it would enter nothing.
      await this.page.mouse.move(0, 0)
      await message.hover()
      return tools.isVisible()
    }
    await eventually(hasTools, true)
  }

  /** The texts of the room's messages, those on their way included, from the top down. */
  history(): Promise<string[]> {
    return this.page.getByRole('log').locator('.message-text').allInnerTexts()
  }

  /** How many messages the server has not confirmed to this browser. */
  outgoing(): Promise<number> {
    return this.page.getByRole('log').locator('[data-status]').count()
  }

  room(name: string): Locator {
    return this.page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name })
  }

  /** What the tab's title begins with: a sign where something is unread. */
  async titleMark(): Promise<string> {
    return (await this.page.title()).split(' ')[0] ?? ''
  }

  async signOut(): Promise<void> {
    await this.button(/^Account: /).click()
    await this.button('Sign out').click()
  }

  /** The password too, for who signs in by other ways than this. */
  get password(): string {
    return PASSWORD
  }

  picture(name: string): Promise<void> {
    return takePicture(this.page, name)
  }

  /** Forgets what the browser reported of refusals, which may come a moment after them; nothing else is forgiven. */
  async takeRefusals(...statuses: number[]): Promise<void> {
    const reported = () => this.complaints.map((text) => Number(/status of (\d+)/.exec(text)?.[1]))
    await eventually(reported, statuses)
    this.complaints = []
  }

  /**
   * Of what comes through a worker, Chromium takes what it preloaded for a script once more, and says so; and that a browser
   * which keeps nothing has no pushes.
   */
  forgiveWorker(): void {
    this.complaints = this.complaints.filter(
      (text) => !/ preload|preloaded |Push API in incognito/.test(text),
    )
  }

  /** While the server was out of reach the browser reported that, and nothing else is forgiven. */
  forgiveOutage(): void {
    this.complaints = this.complaints.filter((text) => !/net::ERR_|WebSocket connection to/.test(text))
  }
}
