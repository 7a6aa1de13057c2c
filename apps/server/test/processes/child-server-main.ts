import pino from 'pino'
import { startServer } from '#src/start.ts'

// The process of `startChildServer`: what it is to be comes as JSON, where it listens goes to the standard output.
const given = JSON.parse(process.argv[2] ?? '')
const { url } = await startServer({ ...given, log: pino({ level: 'silent' }) })
process.stdout.write(`${url}\n`)
