import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import pino from 'pino'
import { SMTPServer } from 'smtp-server'
import { createMetrics } from '../metrics.ts'
import { createMailer } from './mail.ts'

const silent = pino({ level: 'silent' })
const metrics = createMetrics()
const LINK = `http://127.0.0.1:8080/reset-password?token=${'t'.repeat(43)}`
const mail = {
  to: 'ann@example.org',
  subject: 'Set a new password',
  paragraphs: ['Hi ann,', { link: LINK }, 'It works <b>once</b> & for one hour.'],
}
const TEXT = `Hi ann,\n\n${LINK}\n\nIt works <b>once</b> & for one hour.\n`

let dataDir: string

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-mail-'))
})
beforeEach(() => rm(join(dataDir, 'mailbox'), { recursive: true, force: true }))
after(() => rm(dataDir, { recursive: true, force: true }))

function mailboxMailer(log = silent) {
  return createMailer({ smtpUrl: undefined, mailFrom: 'Foyer <foyer@localhost>', dataDir, log, metrics })
}

test('MAIL-2: a mail without SMTP_URL is a file for the operator only, with its link in one piece', async () => {
  await mailboxMailer().send(mail)
  const [name = '', ...others] = await readdir(join(dataDir, 'mailbox'))
  assert.deepEqual(others, [])
  assert.match(name, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{12}\.eml$/)
  const path = join(dataDir, 'mailbox', name)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await stat(join(dataDir, 'mailbox'))).mode & 0o777, 0o700)
  const text = await readFile(path, 'utf8')
  assert.match(text, /^From: Foyer <foyer@localhost>$/m)
  assert.match(text, /^To: ann@example.org$/m)
  assert.match(text, /^Subject: Set a new password$/m)
  assert.ok(text.includes(`\n\n${TEXT}`))
})

test('MAIL-2: simultaneous mails are separate files', async () => {
  const mailer = mailboxMailer()
  await Promise.all(Array.from({ length: 20 }, () => mailer.send(mail)))
  assert.equal((await readdir(join(dataDir, 'mailbox'))).length, 20)
})

test('MAIL-2: the log names the file, without its content or the whole address', async () => {
  const lines: string[] = []
  await mailboxMailer(pino({}, { write: (line: string) => lines.push(line) })).send(mail)
  const [name = ''] = await readdir(join(dataDir, 'mailbox'))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', new RegExp(`mail for a•••n@example.org in mailbox/${name}`))
  assert.ok(!lines[0]?.includes('tttt'))
  assert.ok(!lines[0]?.includes('ann@'))
})

test('MAIL-5: the HTML has the content of the text, escapes everything and loads nothing', async () => {
  await mailboxMailer().send(mail)
  const [name = ''] = await readdir(join(dataDir, 'mailbox'))
  const whole = await readFile(join(dataDir, 'mailbox', name), 'utf8')
  const [, boundary = ''] = /^Content-Type: multipart\/alternative; boundary="([^"]+)"$/m.exec(whole) ?? []
  const [head = '', text = '', html = '', end, ...more] = whole.split(`--${boundary}`)
  assert.match(head, /^MIME-Version: 1.0$/m)
  assert.equal(head.match(/^Content-/gm)?.length, 1)
  assert.match(text, /^\nContent-Type: text\/plain; charset=utf-8\n/)
  assert.match(html, /^\nContent-Type: text\/html; charset=utf-8\n/)
  assert.deepEqual([end, more], ['--\n', []])
  assert.ok(html.includes(`<a href="${LINK}">${LINK}</a>`))
  assert.ok(html.includes('<p>It works &#60;b&#62;once&#60;/b&#62; &#38; for one hour.</p>'))
  assert.doesNotMatch(html, /<(img|link|script|iframe)|url\(/)
})

test('MAIL-5: mails are ASCII, which every mail server accepts', async () => {
  const mailer = createMailer({
    smtpUrl: undefined,
    mailFrom: 'Café <a@localhost>',
    dataDir,
    log: silent,
    metrics,
  })
  await mailer.send({ ...mail, subject: 'Bücher', paragraphs: ['Grüße aus dem Café'] })
  const [name = ''] = await readdir(join(dataDir, 'mailbox'))
  const whole = await readFile(join(dataDir, 'mailbox', name), 'utf8')
  assert.doesNotMatch(whole, /[^\n\x20-\x7e]/)
  assert.match(whole, /^From: =\?UTF-8\?Q\?Caf=C3=A9\?= <a@localhost>$/m)
  assert.ok(whole.includes('<p>Gr&#252;&#223;e aus dem Caf&#233;</p>'))
  const [, encoded = ''] = /Content-Transfer-Encoding: base64\n\n([\w+/=\n]+?)\n--/.exec(whole) ?? []
  assert.equal(Buffer.from(encoded, 'base64').toString(), 'Grüße aus dem Café\n')
})

interface Delivery {
  from: string
  to: string[]
  data: string
  /** True if the client announced SMTPUTF8. */
  utf8: boolean
}

/** A mail server that keeps what it gets, or refuses all recipients, in words of its own. */
async function startSmtp(accepts: boolean, refusal = 'is no user', responseCode = 451) {
  const deliveries: Delivery[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (address, _session, done) =>
      done(accepts ? null : Object.assign(new Error(`<${address.address}> ${refusal}`), { responseCode })),
    async onData(stream, { envelope }, done) {
      const chunks = await stream.toArray()
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const to = envelope.rcptTo.map(({ address }) => address)
      const utf8 = envelope.smtpUtf8 === true
      deliveries.push({ from, to, data: Buffer.concat(chunks).toString(), utf8 })
      done()
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  return { url: `smtp://127.0.0.1:${portOf(smtp.server.address())}`, deliveries, smtp }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the mail server does not listen')
  return address.port
}

test('MAIL-1: mails go to the mail server only, if there is one', async () => {
  const { url, deliveries, smtp } = await startSmtp(true)
  const mailer = createMailer({
    smtpUrl: url,
    mailFrom: 'Foyer <foyer@example.net>',
    dataDir,
    log: silent,
    metrics,
  })
  await mailer.send(mail)
  smtp.close(() => undefined)
  assert.equal(deliveries.length, 1)
  const [delivery] = deliveries
  assert.equal(delivery?.from, 'foyer@example.net')
  assert.deepEqual(delivery?.to, ['ann@example.org'])
  assert.match(delivery?.data ?? '', /^Auto-Submitted: auto-generated\r$/m)
  assert.match(delivery?.data ?? '', /^From: Foyer <foyer@example.net>\r$/m)
  assert.ok(delivery?.data.includes(`\r\n\r\n${TEXT.replaceAll('\n', '\r\n')}`))
  await assert.rejects(readdir(join(dataDir, 'mailbox')), { code: 'ENOENT' })
})

test('MAIL-1: a mail that the server does not accept fails for another try, and the log names nobody', async () => {
  const { url, deliveries, smtp } = await startSmtp(false)
  const mailer = createMailer({ smtpUrl: url, mailFrom: 'foyer@example.net', dataDir, log: silent, metrics })
  await assert.rejects(mailer.send(mail), (error: Error) => {
    assert.match(error.stack ?? '', /<a•••n@example\.org> is no user/)
    return error.stack?.includes('ann@') === false
  })
  smtp.close(() => undefined)
  await assert.rejects(mailer.send(mail))
  assert.deepEqual(deliveries, [])
})

test('MAIL-1: a mail that is refused for good is not tried again, and the log says so without the address', async () => {
  const { url, deliveries, smtp } = await startSmtp(false, 'is no user', 550)
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const mailer = createMailer({ smtpUrl: url, mailFrom: 'foyer@example.net', dataDir, log, metrics })
  await mailer.send(mail)
  smtp.close(() => undefined)
  assert.deepEqual(deliveries, [])
  assert.match(lines.join(''), /the mail server refused a mail permanently/)
  assert.doesNotMatch(lines.join(''), /ann@/)
})

test('OPS-6: sent, refused and failed mails are counted separately', async () => {
  const counted = createMetrics()
  const outcomes: Parameters<typeof startSmtp>[] = [[true], [false, 'is no user', 550], [false]]
  for (const outcome of outcomes) {
    const { url, smtp } = await startSmtp(...outcome)
    const options = { smtpUrl: url, mailFrom: 'foyer@example.net', dataDir, log: silent, metrics: counted }
    await createMailer(options)
      .send(mail)
      .catch(() => undefined)
    smtp.close(() => undefined)
  }
  const { values } = await counted.mails.get()
  assert.deepEqual(Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value])), {
    sent: 1,
    refused: 1,
    failed: 1,
  })
})

test('MAIL-1: a long refusal is read in linear time', async () => {
  const { url, smtp } = await startSmtp(false, 'x'.repeat(100_000))
  const mailer = createMailer({ smtpUrl: url, mailFrom: 'foyer@example.net', dataDir, log: silent, metrics })
  const began = process.cpuUsage()
  await assert.rejects(mailer.send(mail), /<a•••n@example\.org> x{1000}/)
  smtp.close(() => undefined)
  // An expression that searches for an address from every letter takes 15 s.
  assert.ok(process.cpuUsage(began).user < 3_000_000)
})

test('MAIL-6: a mail to a non-ASCII local part uses SMTPUTF8, and one to a non-ASCII domain does not', async () => {
  const { url, deliveries, smtp } = await startSmtp(true)
  const mailer = createMailer({ smtpUrl: url, mailFrom: 'foyer@example.net', dataDir, log: silent, metrics })
  await mailer.send({ ...mail, to: 'jürgen@xn--bcher-kva.example' })
  await mailer.send({ ...mail, to: 'ann@xn--bcher-kva.example' })
  smtp.close(() => undefined)
  // The test's mail server decodes domains.
  assert.deepEqual(
    deliveries.map(({ to }) => to),
    [['jürgen@bücher.example'], ['ann@bücher.example']],
  )
  assert.deepEqual(
    deliveries.map(({ utf8 }) => utf8),
    [true, false],
  )
  assert.match(deliveries[0]?.data ?? '', /^To: jürgen@bücher.example\r$/m)
})
