// Unpacks the browser from its npm package into the temporary directory. Runs as a separate program,
// because the package takes that directory from the environment of the process.
import { inflate } from '@sparticuz/chromium'

const archives = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'))
const names = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']
await Promise.all(names.map((name) => inflate(new URL(name, archives).pathname)))
