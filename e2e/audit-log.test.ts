import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import type { UpdateRoleBody } from '@foyer/protocol/roles'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { holdAnswers } from './held-answers.ts'
import { Keys } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { openSpaceSettings } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const { ManageMessages, ManageRoles } = Permission

/**
 * Mira owns the space, Jonas moderates it, and Lena, who helps, has given guests a permission that they should not have.
 * The tests run in order: each continues where the previous one ended.
 */
describe('the audit log', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Person
  let log: Locator
  let spaceId: string
  let lenaId: string
  let guests: string

  before(async () => {
    stage = await Stage.open()
    mira = await settle(stage, 'mira')
    const moderator = await settle(stage, 'jonas')
    const lena = await settle(stage, 'lena')
    jonas = moderator.person
    lenaId = lena.id
    const { space } = await gather(SPACE, [mira, moderator, lena])
    spaceId = space.id
    const moderators = await createRole('Moderators', {
      permissions: ManageRoles | ManageMessages,
      capabilities: Capability.ViewAuditLog,
    })
    const helpers = await createRole('Helpers', { permissions: ManageRoles | ManageMessages })
    guests = await createRole('Guests')
    await mira.client.roles.assign(space.id, lena.id, helpers)
    await mira.client.roles.assign(space.id, moderator.id, moderators)
    await lena.client.roles.update(space.id, guests, { permissions: ManageMessages })
    await jonas.page.goto(`/spaces/${space.id}`)
    await jonas.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  /** A new role is below all others. */
  async function createRole(name: string, rights: UpdateRoleBody = {}): Promise<string> {
    const { id } = await mira.client.roles.create(spaceId, { name, ...rights })
    return id
  }

  const entry = (sentence: string) => log.getByRole('listitem').filter({ hasText: sentence }).first()
  const sentences = () =>
    log.locator('.audit-entry').evaluateAll((rows) => rows.map((row) => row.querySelector('p')?.innerText))

  async function choose(filter: string, username: string): Promise<void> {
    await log.getByRole('button', { name: new RegExp(`^${filter}: `) }).click()
    await jonas.page
      .getByRole('dialog', { name: filter })
      .getByRole('button', { name: new RegExp(`@${username}$`) })
      .click()
  }

  test('AUDIT-20, AUDIT-22: shows a moderator who changed a permission, and which one', async () => {
    log = await openSpaceSettings(jonas, SPACE, 'Audit log')
    const changed = entry('lena changed the permissions of the role Guests')
    await changed.getByText('Details').click()
    await changed.getByText('Permissions added').waitFor()
    await changed.getByText('Manage messages').waitFor()
    await entry('lena joined with an invite').waitFor()
    await log.getByText('Entries are kept for 90 days.').waitFor()
    await jonas.picture('audit-log')
    assert.deepEqual(await namelessParts(jonas.page), [])
  })

  test('AUDIT-23: the moderator sees what undoing restores, and undoes it', async () => {
    await jonas.button('Undo: lena changed the permissions of the role Guests').click()
    const dialog = jonas.page.getByRole('alertdialog', { name: 'Undo this change?' })
    await dialog.getByText('Permissions removed').waitFor()
    await dialog.getByText('Manage messages').waitFor()
    await jonas.picture('audit-log-undo')
    assert.deepEqual(await namelessParts(jonas.page), [])
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await entry('jonas changed the permissions of the role Guests')
      .getByText('undoes an earlier change')
      .waitFor()
    const undone = entry('lena changed the permissions of the role Guests')
    await undone.getByText('Undone').waitFor()
    assert.equal(await undone.getByRole('button').count(), 0)
    const roles = await mira.client.roles.list(spaceId)
    assert.equal(roles.find(({ id }) => id === guests)?.permissions, 0)
  })

  test('AUDIT-23: a change that was changed again is not undone, and the reason is shown', async () => {
    await mira.client.roles.update(spaceId, guests, { name: 'Visitors' })
    await mira.client.roles.update(spaceId, guests, { name: 'Friends' })
    await jonas.button('Undo: mira renamed the role Guests to Visitors').click()
    const dialog = jonas.page.getByRole('alertdialog', { name: 'Undo this change?' })
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await dialog.getByText('This was changed again since then. Look at the newer entry.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    // Browsers log every refused request.
    assert.match(jonas.complaints.splice(0).join(), /^[^,]+ 409 \(Conflict\)$/)
  })

  test('AUDIT-20, AUDIT-25: a kick with its reason appears at the top, and passes the filters', async () => {
    await choose('Changed by', 'mira')
    await log.getByLabel('Kind of change').selectOption({ label: 'Member kicked' })
    await log.getByText('No changes match these filters.').waitFor()
    await mira.client.members.kick(spaceId, lenaId, { reason: 'Gave away permissions' })
    await entry('mira kicked lena').getByText('Gave away permissions').waitFor()
    await mira.client.roles.create(spaceId, { name: 'Cooks' })
    await eventually(sentences, ['mira kicked lena'])
    await jonas.picture('audit-log-filtered')
    assert.deepEqual(await namelessParts(jonas.page), [])
  })

  test('AUDIT-20: while the entries of another filter are loading, the client says so and shows no others', async () => {
    const held = await holdAnswers(jonas.page, /audit-log\?.*action=role_create/)
    await log.getByLabel('Kind of change').selectOption({ label: 'Role created' })
    await held.given
    await log.getByRole('status', { name: 'Loading…' }).waitFor()
    assert.deepEqual(await sentences(), [])
    await log.getByRole('button', { name: 'Changed by: mira' }).waitFor()
    await held.release()
    await entry('mira created the role Cooks').waitFor()
    assert.equal(await log.getByRole('status', { name: 'Loading…' }).count(), 0)
    await log.getByLabel('Kind of change').selectOption({ label: 'Member kicked' })
    await eventually(sentences, ['mira kicked lena'])
  })

  test('AUDIT-20: the download has the entries that pass the filters', async () => {
    const [download] = await Promise.all([
      jonas.page.waitForEvent('download'),
      log.getByRole('button', { name: 'Download' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'audit-log.jsonl')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).action),
      ['member_kick'],
    )
    await log.getByRole('button', { name: 'Clear filters' }).click()
    await new Keys(jonas.page).isAt(log.getByRole('button', { name: 'Changed by: Anyone' }))
    await entry('mira created the role Cooks').waitFor()
    assert.deepEqual(jonas.complaints, [])
  })

  test('AUDIT-24: the owner keeps entries for less time after a warning', async () => {
    const { person } = mira
    await person.page.goto(`/spaces/${spaceId}`)
    const own = await openSpaceSettings(person, SPACE, 'Audit log')
    const kept = own.getByLabel('Keep entries for')
    await kept.selectOption({ label: '30 days' })
    const dialog = person.page.getByRole('alertdialog', { name: 'Keep entries for less time?' })
    await dialog.getByText('Entries older than 30 days will be deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await kept.inputValue(), '90')
    await kept.selectOption({ label: '30 days' })
    await dialog.getByRole('button', { name: 'Delete older entries' }).click()
    await eventually(() => kept.inputValue(), '30')
    await kept.selectOption({ label: 'Forever' })
    await eventually(() => kept.inputValue(), '')
    await own.getByText('mira changed how long the audit log is kept').first().waitFor()
    await person.picture('audit-log-kept')
    assert.deepEqual([await namelessParts(person.page), person.complaints], [[], []])
  })
})
