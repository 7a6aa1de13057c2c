import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { takePicture } from './pictures.ts'

export interface PersonOptions {
  browser: Browser
  name: string
  /** Address of the server for this browser. */
  url: string
  /** True to allow the service worker, which downloads the whole client. */
  worker?: boolean
  /** Language of the browser, in which it also formats times and numbers. */
  locale?: string
}

const WINDOW = { width: 1280, height: 800 }
const PATIENCE_MS = 30_000
/** Console message of a browser that blocks service workers. */
const WORKER_BLOCKED = 'Service Worker registration blocked'
const PASSWORD = 'correct horse battery'

/** A user with a browser of their own, who acts on the visible page. */
export class Person {
  readonly name: string
  readonly context: BrowserContext
  readonly page: Page
  /** Uncaught errors of the page, and errors and warnings of the console. */
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

  /** Fills in and submits the sign-up form. */
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

  /** Creates an invite, and returns only the path of its link: other people may reach the server at other addresses. */
  async makeInvite(): Promise<string> {
    const link = this.field('Invite link')
    // A new space has a second button of this name, in its list of first steps.
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

  /** Sends a message, and waits until the server has stored it: until then, the message has no keyboard shortcuts and no menu. */
  async saySent(text: string): Promise<void> {
    await this.say(text)
    await eventually(() => this.outgoing(), 0)
  }

  /** Locates messages that contain this text. */
  message(text: string): Locator {
    return this.page.getByRole('log').getByRole('listitem').filter({ hasText: text })
  }

  /** Points at the message until its toolbar is visible. Repeats that, because new messages may move it from the pointer. */
  async pointAt(message: Locator): Promise<void> {
    const tools = message.getByRole('toolbar', { name: 'Message' })
    const hasTools = async () => {
      // Moves away first: a pointer that is already over the message would cause no enter event.
      await this.page.mouse.move(0, 0)
      await message.hover()
      return tools.isVisible()
    }
    await eventually(hasTools, true)
  }

  /** Returns the texts of the room's messages, including outgoing ones, from top to bottom. */
  history(): Promise<string[]> {
    return this.page.getByRole('log').locator('.message-text').allInnerTexts()
  }

  /** Counts the messages that the server has not confirmed to this browser. */
  outgoing(): Promise<number> {
    return this.page.getByRole('log').locator('[data-status]').count()
  }

  room(name: string): Locator {
    return this.page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name })
  }

  /** Returns the first word of the tab's title: the unread mark, if anything is unread. */
  async titleMark(): Promise<string> {
    return (await this.page.title()).split(' ')[0] ?? ''
  }

  async signOut(): Promise<void> {
    await this.button(/^Account: /).click()
    await this.button('Sign out').click()
  }

  /** Password of the account, for tests that sign in on their own. */
  get password(): string {
    return PASSWORD
  }

  picture(name: string): Promise<void> {
    return takePicture(this.page, name)
  }

  /** Waits until the only complaints are refused requests with these statuses, which may arrive late, and removes them. */
  async takeRefusals(...statuses: number[]): Promise<void> {
    const reported = () => this.complaints.map((text) => Number(/status of (\d+)/.exec(text)?.[1]))
    await eventually(reported, statuses)
    this.complaints = []
  }

  /** Removes the complaints so far about refused requests with this status. */
  forgiveRefusals(status: number): void {
    this.complaints = this.complaints.filter((text) => !text.includes(`status of ${status}`))
  }

  /**
   * Removes complaints of Chromium about a service worker: preloaded scripts are not used, and incognito mode has no
   * pushes.
   */
  forgiveWorker(): void {
    this.complaints = this.complaints.filter(
      (text) => !/ preload|preloaded |Push API in incognito/.test(text),
    )
  }

  /** Removes complaints about the network that an outage of the server caused. */
  forgiveOutage(): void {
    this.complaints = this.complaints.filter((text) => !/net::ERR_|WebSocket connection to/.test(text))
  }
}
