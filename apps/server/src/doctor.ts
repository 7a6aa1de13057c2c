// `npm run doctor`: reports what works in an installation, what does not, and what to do about it.
import { readConfig } from './config.ts'
import { runDoctor } from './operating/doctor/doctor.ts'
import { reportOf } from './operating/doctor/finding.ts'

try {
  const findings = await runDoctor(readConfig())
  process.stdout.write(`${reportOf(findings)}\n`)
  process.exitCode = findings.some(({ verdict }) => verdict === 'bad') ? 1 : 0
} catch (error) {
  process.stderr.write(`the doctor could not start: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
