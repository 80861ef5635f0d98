import type { Rule } from '../shell/analysis.ts'
import { DATABASE_PROGRAMS } from './databases.ts'
import { FILE_PROGRAMS } from './files.ts'
import { GIT_PROGRAMS } from './git.ts'
import { INTERPRETERS } from './interpreters.ts'
import { NETWORK_PROGRAMS } from './network.ts'
import { PACKAGE_PROGRAMS } from './packages.ts'
import { SHELL_PROGRAMS } from './shells.ts'
import { SYSTEM_PROGRAMS } from './system.ts'
import { TEXT_PROGRAMS } from './text.ts'
import { WRAPPER_NAMES, wrapperRule } from './wrappers.ts'

/** What is known about programs, by their names. */
export const PROGRAMS: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...WRAPPER_NAMES.flatMap((name): [string, Rule][] => {
    const rule = wrapperRule(name)
    return rule ? [[name, rule]] : []
  }),
  ...Object.entries(TEXT_PROGRAMS),
  ...Object.entries(FILE_PROGRAMS),
  ...Object.entries(GIT_PROGRAMS),
  ...Object.entries(NETWORK_PROGRAMS),
  ...Object.entries(PACKAGE_PROGRAMS),
  ...Object.entries(DATABASE_PROGRAMS),
  ...Object.entries(INTERPRETERS),
  ...Object.entries(SHELL_PROGRAMS),
  ...Object.entries(SYSTEM_PROGRAMS),
])
