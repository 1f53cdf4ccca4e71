import { Option, type Command } from 'commander'
import { common, type CommonFlag, OF_STATE, output, reporting } from './line/flags.ts'
import { format } from './line/format-flag.ts'
import type { Given } from './line/given.ts'
import type { CommonOptions } from './line/options.ts'

const CHANGING: readonly CommonFlag[] = [...OF_STATE, 'lockTimeout']

interface InState extends Pick<Given, 'io' | 'report'> {
  /** Adds a command to the group. */
  readonly of: (spec: string, what: string, used?: readonly CommonFlag[]) => Command
  /** Adds a command that writes and reports what it has done. */
  readonly on: (spec: string, what: string, used?: readonly CommonFlag[]) => Command
}

/** Adds the commands on recorded things. */
export const addStateCommands = ({ command: state, io, report }: Given): void => {
  state.description('inspect and repair what is recorded')
  const of: InState['of'] = (spec, what, used = OF_STATE) =>
    common(state.command(spec).description(what), used)
  const on: InState['on'] = (spec, what, used = CHANGING) =>
    reporting(of(spec, what, used), 'done').hook('preAction', async (_, command) => {
      const { output: file, files = [] } = command.opts<Partial<CommonOptions>>()
      if (file === undefined && files.length === 0) return
      // The report comes last, so its file is checked before anything is changed.
      const { refuseUnwritable } = await import('./output/output.ts')
      for (const each of [file, ...files.map((one) => one.file)]) await refuseUnwritable(io, each)
    })
  const given = { io, report, of, on }
  addRecords(given)
  addDecisions(given)
  addMoves(given)
  addLocks(given)
}

const addRecords = ({ io, report, of, on }: InState): void => {
  on('init', 'write an empty state for this manifest and service').action(async (o) =>
    report(await (await import('./state/init.ts')).stateInit(io, o)),
  )
  reporting(of('list', 'list the recorded addresses'), 'records').action(async (o) =>
    report(await (await import('./state/list.ts')).stateList(io, o)),
  )
  reporting(of('show <ADDRESS>', 'show one record, or those of an entry'), 'record').action(
    async (address, o) => report(await (await import('./state/show.ts')).stateShow(io, o, address)),
  )
  on('mv <OLD> <NEW>', 'give a record, or those of an entry, another address').action(async (from, to, o) =>
    report(await (await import('./state/move.ts')).stateMove(io, o, from, to)),
  )
  on('forget <ADDRESS...>', 'drop records; nothing is sent').action(async (addresses, o) =>
    report(await (await import('./state/forget.ts')).stateForget(io, o, addresses)),
  )
}

/** Commands with which a person decides about things and requests. */
const addDecisions = ({ io, report, on }: InState): void => {
  on('disown [ID...]', 'say that what this key created does not belong to this manifest', [
    ...CHANGING,
    'concurrency',
    'trace',
  ])
    .option('--everything', 'everything unrecorded that the key created in the projects of the manifest')
    .action(async (ids, o) => report(await (await import('./state/disown.ts')).stateDisown(io, o, ids)))
  on('accept <ADDRESS...>', 'accept what happened outside', [...CHANGING, 'concurrency', 'trace']).action(
    async (addresses, o) => report(await (await import('./state/accept.ts')).stateAccept(io, o, addresses)),
  )
  on('resolve [ADDRESS]', 'say what happened to requests whose outcome is unknown')
    .addOption(new Option('--created <ID>', 'it was created, with this id').conflicts('notCreated'))
    .option('--not-created', 'it was not created')
    .addOption(
      new Option('--again', 'it was a change; let the next plan decide again').conflicts([
        'created',
        'notCreated',
      ]),
    )
    .option('--from <FILE>', 'a file with a list of decisions')
    .action(async (address, o) =>
      report(await (await import('./state/resolve.ts')).stateResolve(io, o, address)),
    )
}

/** The flags of commands with two states, which name both places themselves. */
const BETWEEN_STATES = ['file', 'var', 'varFile', 'lockTimeout', 'allowHttp', 'color'] as const

/** Commands for the place of the state. */
const addMoves = ({ io, report, of, on }: InState): void => {
  on('copy', 'move the state to another store', BETWEEN_STATES)
    .requiredOption('--from <FILE-OR-URL>', 'where it is')
    .requiredOption('--to <FILE-OR-URL>', 'where to move it; must be empty')
    .action(async (o) => report(await (await import('./state/copy.ts')).stateCopy(io, o)))
  on(
    'transfer <ADDRESS...>',
    'give records to the state of another manifest; nothing is sent',
    BETWEEN_STATES,
  )
    .option('--from <FILE-OR-URL>', 'where they are (default: the state of the manifest)')
    .requiredOption('--to <FILE-OR-URL>', 'the other state, which must exist')
    .action(async (addresses, o) =>
      report(await (await import('./state/transfer.ts')).stateTransfer(io, o, addresses)),
    )
  of('pull', 'print the state as its store has it', ['file', 'var', 'varFile', 'state', 'local', 'allowHttp'])
    .addOption(format('record', 'the state is JSON in both'))
    .addOption(output('write to a file'))
    .action(async (o) => report(await (await import('./state/pull.ts')).statePull(io, o)))
  on('push <FILE>', 'save what a command could not record, or a whole state if there is none', [
    'file',
    'var',
    'varFile',
    'state',
    'lockTimeout',
    'local',
    'allowHttp',
    'color',
  ]).action(async (file, o) => report(await (await import('./state/push.ts')).statePush(io, o, file)))
}

const addLocks = ({ io, report, on }: InState): void => {
  on('unlock <ID>', 'remove a lock that its owner left behind', OF_STATE)
    .option('--owner-ended', 'the owner has certainly ended: do not wait for requests that it may still send')
    .action(async (id, o) => report(await (await import('./state/unlock.ts')).stateUnlock(io, o, id)))
}
