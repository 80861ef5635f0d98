import type { Call, Rule, ShellAnalysis } from '../shell/analysis.ts'
import { hasTaint } from '../taint.ts'
import { hostKindOf } from './host.ts'
import { operands, optionValues } from './options.ts'
import { runAsShell } from './shells.ts'

const DESTROYS =
  /\b(drop\s+(database|schema|table|user|role|index|view|keyspace|owned)|truncate\s+(table\s+)?["`\w]|delete\s+from\s+["`\w.]+\s*(;|$)|alter\s+table\s+\S+\s+drop|update\s+["`\w.]+\s+set\s+(?:(?!\bwhere\b)[\s\S])*$)/i
const LEAVES =
  /\bcopy\b[\s\S]*\b(from|to)\s+program\b|\bxp_cmdshell\b|\binto\s+(outfile|dumpfile)\b|\bload_file\s*\(|\bpg_read_file|\blo_export|\bsys_exec|load_extension\s*\(/i
const SHELL_LINE = /^\s*(?:\\!|\.(?:shell|system)\b|system\b|!)\s*(.+)$/gim
const DESTROYS_DOCUMENTS =
  /dropDatabase|\.drop\(\)|deleteMany\(\s*\{\s*\}|remove\(\s*\{\s*\}|flushall|flushdb|config\s+set|\bshutdown\b|debug\s+segfault/i

/** A client with statements in its options, its input or its operands. */
const client: Rule = ({ args, stdin, analysis }) => {
  const options = optionValues(args, 'ceQ', 'command', 'execute', 'eval', 'query')
  const statements = [...options, ...operands(args).filter(word => /\s|\.|;|^flush/i.test(word)), stdin ?? ''].join(
    '\n',
  )
  rateStatements(analysis, statements)
  const host = optionValues(args, 'h', 'host')[0]
  const address = /:\/\/(?:[^@/]*@)?([^:/?]+)/.exec(args.join(' '))?.[1] ?? host
  if (address !== undefined && !address.startsWith('/') && hostKindOf(address.toLowerCase()) !== 'loopback')
    analysis.report('MEDIUM', 'Works on a database of another machine')
  return undefined
}

function rateStatements(analysis: ShellAnalysis, text: string): void {
  if (DESTROYS.test(text) || DESTROYS_DOCUMENTS.test(text)) analysis.report('HIGH', 'Deletes data of a database')
  if (LEAVES.test(text)) analysis.report('HIGH', 'Lets the database run programs or touch files')
  for (const [, command = ''] of text.matchAll(SHELL_LINE)) runAsShell(analysis, command)
  if (hasTaint(text) && text.replace(/[\s\uE000-\uE005]/g, '') === '')
    analysis.report('MEDIUM', 'Runs statements that only show when they run')
}

const destroys = ({ analysis }: Call): undefined => void analysis.report('HIGH', 'Deletes data of a database')

const mysqladmin: Rule = call =>
  call.args.some(arg => /^(drop|shutdown|flush-\w+)$/.test(arg)) ? destroys(call) : undefined

/** Commands of frameworks that empty a database. */
const EMPTIES =
  /^(db:(drop|reset|purge|wipe|truncate\w*)|migrate:(fresh|reset|refresh)|flush|reset_db|sqlflush|drop|ecto\.(drop|reset)|doctrine:(database|schema):drop)$/

const framework: Rule = ({ name, args, analysis }) => {
  const words = operands(args)
  const prismaReset =
    name === 'prisma' &&
    (/migrate reset/.test(words.join(' ')) || args.includes('--force-reset') || args.includes('--accept-data-loss'))
  if (prismaReset || (name !== 'prisma' && words.some(word => EMPTIES.test(word))))
    analysis.report('HIGH', 'Deletes data of a database')
  return undefined
}

const list = (names: string, rule: Rule): Record<string, Rule> =>
  Object.fromEntries(names.split(' ').map(name => [name, rule]))

export const DATABASE_PROGRAMS: Record<string, Rule> = {
  ...list(
    'psql mysql mariadb sqlite3 sqlite mongosh mongo redis-cli valkey-cli cqlsh clickhouse-client duckdb sqlcmd usql pgcli mycli',
    client,
  ),
  ...list('dropdb dropuser', destroys),
  ...list('mysqladmin', mysqladmin),
  ...list('prisma rails manage.py rake sequelize typeorm knex alembic artisan mix doctrine drizzle-kit', framework),
}
