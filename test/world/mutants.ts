import type { StoreName } from './places.ts'

/** A defect that is put into a copy of the product, to see whether histories find it. */
export interface Mutant {
  readonly name: string
  readonly file: string
  /** Occurs once in the file. */
  readonly from: string
  readonly to: string
  /** Where histories must keep their state to find it, if not in a file. */
  readonly store?: StoreName
}

export const mutants: readonly Mutant[] = [
  {
    name: 'own events count as events of others',
    file: 'provider/engine/judge/events.ts',
    from: 'group.slice(0, ours)',
    to: 'group.slice(0, 0)',
  },
  {
    name: 'events of others count as own events',
    file: 'provider/engine/judge/events.ts',
    from: "sender(event) !== 'another' && createdAt(event) >= from",
    to: 'createdAt(event) >= from',
  },
  {
    name: 'an event that two reads return counts twice',
    file: 'provider/engine/read/events.ts',
    from: 'one : eachOnce([one, ...more].flat())',
    to: 'one : [one, ...more].flat()',
  },
  {
    name: 'an accepted event counts again',
    file: 'provider/engine/judge/events.ts',
    from: '!accepted.has(String(event[',
    to: '!accepted.has(String(!event[',
  },
  {
    name: 'the span of a write ends before it is sent',
    file: 'provider/engine/values/span.ts',
    from: 'export const SPAN_MARGIN_MS = 2_000',
    to: 'export const SPAN_MARGIN_MS = -2_000',
  },
  {
    name: 'the intent of a write is not journaled',
    file: 'reconciler/state/session.ts',
    from: '      await this.#journal.append(...records)\n    } catch (error) {',
    to: '    } catch (error) {',
  },
  {
    name: 'a write whose answer was lost counts as refused',
    file: 'provider/engine/write/send.ts',
    from: "error.outcome === 'unknown' ? ledger.unknown(n, error)",
    to: "error.outcome === 'never' as string ? ledger.unknown(n, error)",
  },
  {
    name: 'a 408 says that nothing was done',
    file: 'provider/api/request-errors.ts',
    from: ' && !isLate',
    to: '',
  },
  {
    name: 'what the first key wrote counts as written by another',
    file: 'provider/engine/judge/events.ts',
    from: 'record.lastWrite?.by ?? ownKey',
    to: 'ownKey',
  },
  {
    name: 'a recorded window is taken for a lost one',
    file: 'provider/engine/settle/candidates.ts',
    from: '|| known.has(id) ||',
    to: '||',
  },
  {
    name: 'a lost creation takes over what another key created',
    file: 'provider/engine/settle/candidates.ts',
    from: "return (event['publicKey'] === key || isOfPerson) &&",
    to: "return (key !== '' || isOfPerson) &&",
  },
  {
    name: 'events after a clock was set back are ignored',
    file: 'provider/engine/read/events.ts',
    from: 'since > now + SPAN_MARGIN_MS ? 2 * now - since : since',
    to: 'since > now + SPAN_MARGIN_MS ? since : since',
  },
  {
    name: 'a window that belongs to another entry is taken over',
    file: 'provider/engine/plan/declared.ts',
    from: 'if (holder !== undefined && holder !== instance.address)',
    to: 'if (holder === instance.address)',
  },
  {
    name: 'what is no longer declared is forgotten instead of released',
    file: 'provider/engine/plan/undeclared.ts',
    from: "if (way.way === 'forget') {\n    // An entry that stands",
    to: 'if (way.way !== undefined) {\n    // An entry that stands',
  },
  {
    name: 'an adopted thing is recorded but not written',
    file: 'provider/engine/plan/unreadable/new.ts',
    from: 'if (declared.length === 0 || isNone(definition.write)) {',
    to: 'if (declared.length >= 0) {',
  },
  {
    name: 'an answer is not compared with what was sent',
    file: 'provider/engine/write/fields.ts',
    from: '  if (left.length > 0) {',
    to: '  if (left.length > 99) {',
  },
  {
    name: 'a renamed entry creates a new thing',
    file: 'provider/engine/plan/moved.ts',
    from: '  if (undeclared.length === 0) return []',
    to: '  if (undeclared.length >= 0) return []',
  },
  {
    name: 'a window that is over is created again',
    file: 'provider/engine/plan/unreadable/new.ts',
    from: 'if (!isNone(create) && hasEnded(instance, desired, context.now))',
    to: 'if (!isNone(create) && hasEnded(instance, desired, new Date(0)))',
  },
  {
    name: 'a saved plan is applied although the manifest was edited',
    file: 'reconciler/plan-file/stale.ts',
    from: 'if (edited.length > 0 || saved.sources.length !== now.sources.length)',
    to: 'if (edited.length > 99)',
  },
  {
    name: 'a saved plan is applied although the service has changed',
    file: 'reconciler/plan-file/stale.ts',
    from: "if (where !== '') throw",
    to: "if (where === '-') throw",
  },
  {
    name: 'a lock excludes nobody',
    file: 'reconciler/state/lock/lock.ts',
    from: "if ('unreadable' in owner || !(await isOwnerGone(owner, system.host))) throw locked(lock, owner, system)",
    to: "if ('unreadable' in owner) throw locked(lock, owner, system)",
  },
  {
    name: 'a target does not exclude the rest',
    file: 'provider/engine/plan/plan.ts',
    from: '(target?.includes(address) ?? true) ||',
    to: '(target === undefined || address !== undefined) ||',
  },
  {
    name: 'unrecorded things of the calling key block nothing',
    file: 'provider/engine/plan/unreadable/new.ts',
    from: 'if (there.length > 0) {',
    to: 'if (there.length < 0) {',
  },
  {
    name: 'formerly recorded things are not known',
    file: 'provider/engine/values/memory.ts',
    from: 'if (made !== undefined) know(memory, made)',
    to: "if (made?.kind === '') know(memory, made)",
  },
  {
    name: 'a recorded thing is reported as unmanaged',
    file: 'provider/engine/judge/unmanaged.ts',
    from: '...declared, ...recorded, ...once',
    to: '...declared, ...once',
  },
  {
    name: 'a thing created by others is not reported as unmanaged',
    file: 'provider/engine/judge/unmanaged.ts',
    from: "if (of === 'another') return true",
    to: "if (of === 'another') return false",
  },
  {
    name: 'the window of a silence is reported as unmanaged',
    file: 'reconciler/commands/run/known-things.ts',
    from: 'return (await knownAt(where, systemOf(io))) ?? NOTHING',
    to: 'return (await knownAt(where, systemOf(io))) === undefined ? NOTHING : NOTHING',
  },
  {
    name: 'a silence may exceed its limit',
    file: 'reconciler/commands/silence/window.ts',
    from: 'formatInstant(now + wanted.max)',
    to: 'formatInstant(now + wanted.max + SECOND)',
  },
  {
    name: 'things that are off are not listed first',
    file: 'reconciler/render/document/worst-first.ts',
    from: 'if (thing.turnsOff === true) return 2',
    to: 'if (thing.turnsOff === true) return LAST',
  },
  {
    name: 'owners are not listed first',
    file: 'reconciler/render/document/worst-first.ts',
    from: 'if (thing.owns === true) return 1',
    to: 'if (thing.owns === true) return LAST',
  },
  {
    name: 'a change that turns an alert off is not marked',
    file: 'provider/engine/drift/weighed.ts',
    from: '(turnsOff(definition, [field]) ? { turnsOff: true as const } : {})',
    to: '(turnsOff(definition, []) ? { turnsOff: true as const } : {})',
  },
  {
    name: 'an undo does not mention protected fields',
    file: 'provider/engine/drift/planned.ts',
    from: 'return names.size === 0 || drift.declared',
    to: 'return names.size >= 0 || drift.declared',
  },
  {
    name: 'an undo proposes what a plan blocks',
    file: 'provider/engine/drift/planned.ts',
    from: 'drift.fields.length === 0 || fields.length === 0',
    to: 'drift.fields.length === 0',
  },
  {
    name: 'events that could not be read count as read',
    file: 'provider/engine/judge/evidence.ts',
    from: 'unread === undefined ? {} : ({ eventsUnread: true } as const)',
    to: 'unread === undefined ? {} : {}',
  },
  {
    name: 'drift is accepted although its events could not be read',
    file: 'reconciler/commands/state/accept.ts',
    from: 'if (!isRead)',
    to: 'if (!isRead && events.length > 0)',
  },
  {
    name: 'a later file does not override an earlier one',
    file: 'reconciler/config/files/merge.ts',
    from: 'pair.value.pairs) pairs.set(name, each(pairs.get(name), own))',
    to: 'pair.value.pairs) pairs.set(name, pairs.get(name) ?? each(undefined, own))',
  },
  {
    name: 'a thing to be left unmanaged is released in another way',
    file: 'provider/engine/plan/undeclared.ts',
    from: 'const way = ways[record.onRemove] ??',
    to: "const way = Object.values(ways).find((each) => each.way === 'send') ??",
  },
  {
    name: 'a restore overwrites what somebody else has set since',
    file: 'provider/engine/plan/undeclared.ts',
    from: 'return isChanged ?',
    to: "return isChanged && definition.kind === '' ?",
  },
  {
    name: 'a patch edits an entry that stands for several things',
    file: 'reconciler/render/document/ways-out.ts',
    from: 'keys.length > 0 && !isAlone(address)',
    to: 'keys.length > 99 && !isAlone(address)',
  },
  {
    name: 'an adopted thing is not recorded',
    file: 'reconciler/commands/adopt/proof.ts',
    from: 'if (target.length === 0) return',
    to: 'if (target.length >= 0) return',
  },
  {
    name: 'adopt leaves out things that are off',
    file: 'provider/engine/adopt/proposals.ts',
    from: 'things.flatMap((thing): Free[] => (isFree(thing) ?',
    to: "things.flatMap((thing): Free[] => (isFree(thing) && thing.values['enabled'] !== false ?",
  },
  {
    name: 'a report with a target says that all is in sync',
    file: 'reconciler/render/document/drift-document.ts',
    from: 'differs === 0 && target.length === 0',
    to: 'differs === 0',
  },
  {
    name: 'an interrupt abandons requests in flight',
    file: 'provider/api/authenticated-transport.ts',
    from: 'const signal = call.read ? call.signal : undefined',
    to: 'const signal = call.signal',
  },
  {
    name: 'a secret is journaled with its request',
    file: 'provider/engine/write/create.ts',
    from: 'const send = { ...unfilled, body,',
    to: 'const send = { ...unfilled, body, kept: body,',
  },
  {
    name: 'a pending change passes in JUnit',
    file: 'reconciler/render/machines/junit.ts',
    from: "if (verdict === 'in-sync') return { name, declaredAt }",
    to: "if (verdict !== 'unverifiable') return { name, declaredAt }",
  },
  {
    name: 'a pending change is missing in Markdown',
    file: 'reconciler/render/markdown/drift-markdown.ts',
    from: 'pendingTold(doc, { late: false }, pendingNamed)',
    to: 'pendingTold(doc, { late: true }, pendingNamed)',
  },
  {
    name: 'accepted drift is missing in HTML',
    file: 'reconciler/render/html/drift.ts',
    from: 'after: [acceptedOf(accepted, shown), strange.others]',
    to: 'after: [strange.others]',
  },
  {
    name: 'accepted drift is missing in SARIF',
    file: 'reconciler/render/machines/sarif.ts',
    from: '({ finding })), ...knownFindings(doc)]',
    to: '({ finding }))]',
  },
  {
    name: 'a terminal counts late changes twice',
    file: 'reconciler/render/terminal/drift-text.ts',
    from: '{ count: summary.pending - late,',
    to: '{ count: summary.pending,',
  },
  {
    name: 'an apply does not say that a change was written',
    file: 'reconciler/commands/run/apply-summary.ts',
    from: "status === 'done' && isWrite(planned.change)",
    to: "status === 'done' && isWrite(planned.change) && planned.change.action !== 'update'",
  },
  {
    name: 'a saved plan identifies its files by absolute path',
    file: 'reconciler/config/files/load.ts',
    from: 'sources: files.map(({ file, sha256 }) => ({ file, sha256 })),',
    to: 'sources: files.map(({ path, sha256 }) => ({ file: path, sha256 })),',
  },
  {
    name: 'accepting a field accepts the whole thing',
    file: 'reconciler/commands/resolve/drift.ts',
    from: 'return { drift, field }',
    to: 'return { drift }',
  },
  {
    name: 'no number of removals at once is too many',
    file: 'provider/engine/plan/mass.ts',
    from: 'return isMass(removed, total)',
    to: 'return isMass(removed, 0 * total)',
  },
  {
    name: 'one more change at once is allowed than the limit',
    file: 'provider/engine/plan/mass.ts',
    from: 'if (!isMass(changed.length, total)) return []',
    to: 'if (!isMass(changed.length - 1, total)) return []',
  },
  {
    name: 'the calling key may lose its ownership',
    file: 'provider/engine/plan/guards.ts',
    from: 'if (shown === context.ownKey) return',
    to: "if (shown === '') return",
  },
  {
    name: 'the last owner may be removed',
    file: 'provider/engine/plan/guards.ts',
    from: ".flatMap((scope) => need(reason('last-holder', { value, scope })))",
    to: '.flatMap((): Need[] => [])',
  },
  {
    name: 'a rescue file lacks the outcomes of requests',
    file: 'reconciler/state/journal-queue.ts',
    from: '[[...this.#records], [...this.#owed], [...this.#withdrawn]]',
    to: '[[...this.#records], this.#owed.slice(0, 0), [...this.#withdrawn]]',
    store: 'http',
  },
  {
    name: 'the lock of another machine is taken over',
    file: 'reconciler/state/lock/lock-owner.ts',
    from: 'owner.host === host.name &&',
    to: '',
    store: 'http',
  },
  {
    name: 'a drift report does not name what is left to others',
    file: 'provider/engine/drift/verdict.ts',
    from: 'if (fields.length === 0) return inSync(evidence, standing.changed)',
    to: 'if (fields.length === 0) return inSync(evidence)',
  },
]
