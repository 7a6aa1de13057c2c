import pino from 'pino'
import { startServer } from '#src/start.ts'

// Process of `startChildServer`. Takes its options as JSON, and prints its URL.
const given = JSON.parse(process.argv[2] ?? '')
const { url } = await startServer({ ...given, log: pino({ level: 'silent' }) })
process.stdout.write(`${url}\n`)
