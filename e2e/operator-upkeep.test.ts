import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { Console } from './console.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** Mira runs the server. Each test continues where the previous one ended. */
describe('upkeep in the console of the operators', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let mirasConsole: Console
  let folder: string
  /** Scripts that Mira’s page has requested. */
  const scripts: string[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-upkeep-'))
    stage = await Stage.openOwn({
      BACKUP_TO: join(folder, 'backups'),
      BACKUP_PASSPHRASE: 'tea with three lumps',
    })
    mira = await settle(stage, 'mira')
    const jonas = await settle(stage, 'jonas')
    const { general } = await gather('Sunday hikers', [mira, jonas])
    const map = new File([new Uint8Array(30_000)], 'map.pdf', { type: 'application/pdf' })
    await jonas.client.messages.createWithFiles(general.id, { content: 'The way' }, [map])
    await stage.seed(history)
    mirasConsole = new Console(mira.person)
    mira.person.page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })

  /** A day of one process that was down for two hours. */
  const history = `
    insert into health_samples (taken_at, process_id, connections, requests, errors, messages, latency, cpu,
      memory_bytes, lag_ms, database_bytes)
    select date_trunc('minute', now()) - make_interval(mins => minute), '01890000-0000-7000-8000-000000000001',
      40 + 30 * sin(minute / 200.0), 600 + 400 * sin(minute / 150.0), case when minute between 300 and 320 then 4 else 0 end,
      greatest(0, 30 * cos(minute / 90.0)), array[50, 100, 80, 40, 20, 10, 4, 1, 0, 0, 0, 0, 0],
      0.4 + 0.3 * sin(minute / 100.0), 180000000 + minute * 10000, 2 + (minute % 7),
      case when minute % 60 = 0 then 90000000 - minute * 5000 end
    from generate_series(1, 1439) as minute where minute not between 700 and 820`

  test('CONSOLE-8: the console begins with the overview, and loads a section when it is opened', async () => {
    const { page } = mira.person
    await page.goto('/operator/overview')
    const { dialog } = mirasConsole
    await dialog.getByRole('heading', { level: 3, name: 'Overview' }).waitFor()
    await dialog.getByRole('figure').nth(8).waitFor()
    const isLoaded = (name: string) => scripts.some((path) => path.includes(name))
    assert.deepEqual([isLoaded('overview-section'), isLoaded('storage-section')], [true, false])
    const people = dialog.locator('.figure').filter({ hasText: 'People' })
    assert.match(await people.innerText(), /2/)
    await mirasConsole.look('overview')
  })

  test('CONSOLE-3: a point is read with the arrow keys and the pointer, and the table has them all', async () => {
    const { dialog } = mirasConsole
    const chart = dialog.getByRole('figure').filter({ hasText: 'Connections' })
    const reader = chart.getByRole('slider')
    await reader.focus()
    const last = await reader.getAttribute('aria-valuetext')
    await mira.person.page.keyboard.press('ArrowLeft')
    const before = await reader.getAttribute('aria-valuetext')
    assert.match(before ?? '', /^\d\d:\d\d.*: \d+/)
    assert.notEqual(before, last)
    assert.equal((await chart.locator('.chart-line').getAttribute('d'))?.match(/M/g)?.length, 2)
    const box = await reader.boundingBox()
    assert.ok(box !== null)
    await mira.person.page.mouse.move(box.x + box.width * 0.47, box.y + 20)
    await chart.locator('.chart-time').waitFor()
    await chart.getByText('no data').waitFor()
    await chart.getByText('Table').click()
    await chart.getByRole('row').nth(288).waitFor()
    assert.equal(await chart.getByRole('row').count(), 289)
    await chart.getByText('Table').click()
    await dialog.getByRole('button', { name: '1 hour', exact: true }).click()
    await mirasConsole.look('overview-hour')
  })

  test('CONSOLE-4: the storage is checked on request', async () => {
    const section = await mirasConsole.open('Storage')
    await section.getByText('The storage has not been checked yet').waitFor()
    await mira.person.button('Check now').click()
    await mirasConsole.row('map.pdf').getByText('Sunday hikers').waitFor()
    await section.getByText('Every file is in the storage of this server.').waitFor()
    await mirasConsole.look('storage')
  })

  test('CONSOLE-5: failed jobs are run again and deleted', async () => {
    const fail = `
      select graphile_worker.permanently_fail_jobs(array_agg(id), '550 no mailbox eve@example.org') from (
        select (graphile_worker.add_job('mail_nobody', run_at => now() + interval '1 day')).id
        from generate_series(1, 3)) as job`
    await stage.seed(fail)
    const section = await mirasConsole.open('Jobs')
    await section.getByText('3 jobs have failed').waitFor()
    await section.getByText('550 no mailbox …@…').first().waitFor()
    await mirasConsole.look('jobs')
    const list = section.getByRole('list', { name: 'Failed jobs' }).getByRole('listitem')
    await list
      .first()
      .getByRole('button', { name: /^Delete/ })
      .click()
    await mira.person.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await section.getByText('2 jobs have failed').waitFor()
    await section.locator('h4:focus', { hasText: 'Failed jobs' }).waitFor()
    await list
      .first()
      .getByRole('button', { name: /^Retry mail/ })
      .click()
    await section.getByText('1 job has failed').waitFor()
    await section.locator('h4:focus', { hasText: 'Failed jobs' }).waitFor()
    await mira.person.button('Retry all: mail_nobody').click()
    await section.getByText('No failed jobs. Jobs that fail are kept here for a day.').waitFor()
    await section.getByRole('status').getByText('1 job will run again.').waitFor()
  })

  test('CONSOLE-6: a backup is made at once, and listed', async () => {
    const section = await mirasConsole.open('Backups')
    await section.getByText('There is no backup yet.').waitFor()
    await mira.person.button('Back up now').click()
    await section.getByText('requested by an administrator').waitFor()
    // The backup is a process of low priority, which waits while the machine is busy.
    await section.getByText(/\d+ files? of/).waitFor({ timeout: 150_000 })
    await mirasConsole.look('backups')
  })

  test('CONSOLE-8: updates show the version of each process, and the log what was done', async () => {
    const section = await mirasConsole.open('Updates')
    await section.getByText('Latest migration:').waitFor()
    await section.getByText('There is no snapshot to go back to.').waitFor()
    await mirasConsole.look('updates')
    await mirasConsole.open('Log')
    await mirasConsole.row('requested a backup').waitFor()
    await mirasConsole.row('checked the storage').waitFor()
  })
})
