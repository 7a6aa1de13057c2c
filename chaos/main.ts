// Breaks an installation under load, and audits that no message was lost, duplicated, leaked or reordered.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Findings } from './audit/findings.ts'
import { openInstallation } from './installation/installation.ts'
import { readOptions } from './options.ts'
import { keepFinding, keepReport, makeReport, printReport, recordReport } from './report.ts'
import { Run } from './run.ts'

const options = readOptions(process.argv.slice(2), Date.now())
const folder = await mkdtemp(join(tmpdir(), 'foyer-chaos-'))
const log = (line: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(7)} s  ${line}`)
// Child processes end with this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

log(`seed ${options.seed}, logs in ${folder}`)
const installation = await openInstallation({ ...options, folder })
log(`${options.processes} processes at ${installation.url}`)
const findings = new Findings((finding) => {
  if (findings.total === 1) log(`first violation: ${finding.what}`)
  keepFinding(folder, finding)
})
for (const process of installation.processes)
  process.onUnexpectedEnd = () => findings.add('ended', 'a process ended', { log: process.logPath })
const run = new Run(options, installation, findings)
const results = await run.go(log).finally(() => installation.close())
const report = makeReport(options, results)
keepReport(folder, report)
printReport(report, findings, folder)
if (findings.total > 0) process.exitCode = 1
else {
  if (options.isRecorded) console.log(`Recorded in ${recordReport(report)}`)
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}
