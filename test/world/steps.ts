import * as fc from 'fast-check'
import { acceptField } from './steps/accept-field.ts'
import { acceptDrift } from './steps/accepted.ts'
import { adopts } from './steps/adopts.ts'
import { alike } from './steps/alike.ts'
import { beside } from './steps/beside.ts'
import { applies, targeted } from './steps/applies.ts'
import { checkPlan } from './checks/check-apply.ts'
import { checkDrift } from './checks/check-drift.ts'
import { checkPlanFaces } from './checks/check-plan-faces.ts'
import { copies } from './steps/copy.ts'
import { countings } from './steps/countings.ts'
import { deleted } from './steps/deleted.ts'
import { edits, ignored, newWindows, offAndProtected, offAndTaken, twoSelected } from './steps/edits.ts'
import { elsewhere } from './steps/elsewhere.ts'
import { gates } from './steps/gates.ts'
import { gone } from './steps/gone.ts'
import { guards } from './steps/guards.ts'
import { keeps } from './steps/keeps.ts'
import { lostState } from './steps/lost-state.ts'
import { movedState } from './steps/moved-state.ts'
import { newKey } from './steps/new-key.ts'
import { others, prolonged, turnedOver, turnedOverAt, unseen } from './steps/others.ts'
import { lookInOutage } from './steps/outages.ts'
import { parts } from './steps/parts.ts'
import { resolve } from './steps/resolve.ts'
import { savedPlans } from './steps/saved-plans.ts'
import { ownKey } from './steps/own-key.ts'
import { setBack } from './steps/set-back.ts'
import { several } from './steps/several.ts'
import { silences, troubledSilences } from './steps/silences.ts'
import { stateSteps } from './steps/state-steps.ts'
import { inTurn, step, type Step } from './steps/step.ts'
import { takeOvers } from './steps/take-over.ts'
import { troubledApplies } from './steps/troubles.ts'
import { troubledUndoes, undoes } from './steps/undoes.ts'
import { unread } from './steps/unread.ts'

const plan = fc.constant(step('plan', (oracle, world) => checkPlan(world, oracle)))
const drift = fc.constant(step('drift', (oracle, world) => checkDrift(world, oracle)))
const faces = fc.constant(step('plan in every format', (_, world) => checkPlanFaces(world)))

const pausing = (ms: number): Step =>
  step(`pause ${ms} ms`, async (_, world) => {
    world.now += ms
  })
const pause = fc.constantFrom(3, 900, 2_500, 6_000, 20_000, 3_600_000, 90_000_000, 700_000_000).map(pausing)

const clock = fc.constantFrom(0, 800, 30_000, 3_600_000, -3_600_000).map((ms) =>
  step(`the clock of this machine is ${ms} ms ahead from now on`, async (_, world) => {
    world.ahead = ms
  }),
)

const editAndApply = fc.tuple(edits, applies).map((both) => inTurn(...both))
/** There is something to do inside the target, or outside of it. */
const editsAndPart = fc.tuple(edits, edits, targeted).map((all) => inTurn(...all))
/** There is much to show. */
const editsAndFaces = fc.tuple(edits, edits, faces).map((all) => inTurn(...all))
const othersAndDrift = fc
  .tuple(fc.option(pause, { nil: undefined }), fc.option(unseen, { nil: undefined, freq: 2 }), others, drift)
  .map(([wait, hidden, deed, look]) =>
    inTurn(...[wait, hidden].filter((each) => each !== undefined), deed, look),
  )

/** What was just applied has a later last write than the rest, so that a plan can read events more than once. */
const othersAndPlan = fc.tuple(editAndApply, others, plan).map((all) => inTurn(...all))

/** Some changes are worse than the others. */
const manyAndDrift = fc
  .tuple(fc.array(others, { minLength: 2, maxLength: 5 }), drift)
  .map(([all, look]) => inTurn(...all, look))

/** There is something that an entry leaves to others. */
const othersLeft = fc
  .tuple(ignored, applies, turnedOver, plan, drift)
  .map(([entry, apply, turns, ...looks]) => inTurn(entry, apply, ...turns, ...looks))

/** There is something to undo. */
const othersAndUndo = fc.tuple(others, undoes).map((both) => inTurn(...both))

/** There is something that `protect` keeps from being undone. */
const protectedAndUndo = fc
  .tuple(offAndProtected, applies, turnedOver, undoes)
  .map(([entries, apply, turns, undo]) =>
    inTurn(...entries.flatMap((entry) => [entry, apply]), ...turns, undo),
  )

/** A window that should be over may not be, and nothing undoes that. */
const prolongedAndUndo = fc
  .tuple(newWindows, applies, prolonged, fc.constantFrom(90_000_000, 700_000_000).map(pausing), undoes)
  .map((all) => inTurn(...all))

/** There is something to put back, or somebody else has put it back already. */
const offAndRestored = fc
  .tuple(offAndTaken, applies, fc.option(turnedOver, { nil: [], freq: 2 }), applies)
  .map(([[entry, taking], apply, turns, release]) =>
    // What others do in the moment in which an apply begins counts as done during it.
    inTurn(entry, apply, ...turns, pausing(3), taking, release),
  )

/** There is something that a report must not overlook, and something that it must not miss. */
const othersAndOutage = fc.tuple(edits, others, lookInOutage).map((all) => inTurn(...all))

/** There is something to keep. */
const othersAndKeep = fc.tuple(others, keeps).map((both) => inTurn(...both))

/** What is to be kept of one thing must not change the other that its entry stands for. */
const oneOfTwoAndKeep = fc
  .tuple(fc.constant(twoSelected), applies, turnedOverAt(0), keeps)
  .map((all) => inTurn(...all))

/** The next apply settles what was lost. */
const othersAndWays = fc.tuple(others, fc.oneof(troubledUndoes, keeps), applies).map((all) => inTurn(...all))

/** There is something that events would tell. */
const othersUnread = fc
  .tuple(others, fc.option(pause, { nil: undefined }), unread)
  .map((all) => inTurn(...all.filter((each) => each !== undefined)))

/** Several fields of one thing may have drifted. */
const manyOthers = fc.array(others, { minLength: 2, maxLength: 4 }).map((all) => inTurn(...all))

/** A plan that was saved before may have as much to do as then, and other things. */
const muchLater = fc.tuple(fc.constant(pausing(6_000)), manyOthers).map((all) => inTurn(...all))

/** What is accepted stays accepted until there is another change, or until its time is over. */
const acceptedAndDrift = fc
  .tuple(
    fc.oneof(others, manyOthers),
    fc.oneof(acceptDrift, acceptField),
    fc.option(pause, { nil: undefined }),
    fc.option(others, { nil: undefined }),
    drift,
  )
  .map((all) => inTurn(...all.filter((each) => each !== undefined)))

/** There is something that a gate stops. */
const editsAndGate = fc.tuple(edits, gates).map((both) => inTurn(...both))

/** There is something that only a write may settle. */
const lostAndGate = fc.tuple(troubledApplies, gates).map((both) => inTurn(...both))

/** There is something that can vanish. */
const madeAndGone = fc.tuple(newWindows, gone).map((both) => inTurn(...both))

/** What histories are made of; the more common a step is in practice, the more often it is listed. */
export const steps: fc.Arbitrary<Step>[] = [
  editAndApply,
  editAndApply,
  applies,
  othersAndDrift,
  manyAndDrift,
  othersAndPlan,
  fc.oneof(othersAndUndo, protectedAndUndo, prolongedAndUndo),
  fc.oneof({ weight: 4, arbitrary: othersAndKeep }, { weight: 1, arbitrary: oneOfTwoAndKeep }),
  fc.oneof(othersUnread, othersAndOutage),
  othersAndDrift,
  others,
  acceptedAndDrift,
  fc.oneof(plan, drift, countings, adopts, parts, faces, editsAndFaces, othersLeft),
  fc.oneof({ weight: 2, arbitrary: editsAndPart }, { weight: 1, arbitrary: offAndRestored }),
  fc.oneof(takeOvers, beside),
  fc.oneof({ weight: 6, arbitrary: copies }, { weight: 1, arbitrary: lostState }),
  savedPlans(fc.oneof(edits, pause, others, muchLater)),
  fc.oneof(
    { weight: 3, arbitrary: stateSteps },
    { weight: 2, arbitrary: guards },
    { weight: 1, arbitrary: movedState },
  ),
  fc.oneof(
    { weight: 2, arbitrary: editsAndGate },
    { weight: 1, arbitrary: madeAndGone },
    { weight: 2, arbitrary: several(applies) },
  ),
  silences,
  fc.oneof(
    { weight: 4, arbitrary: pause },
    { weight: 1, arbitrary: clock },
    { weight: 1, arbitrary: newKey },
  ),
]

/** The same, with what can go wrong. */
export const troubledSteps: fc.Arbitrary<Step>[] = [
  editAndApply,
  applies,
  othersAndDrift,
  drift,
  fc.oneof(
    { weight: 4, arbitrary: pause },
    { weight: 1, arbitrary: clock },
    { weight: 2, arbitrary: setBack },
    { weight: 1, arbitrary: newKey },
  ),
  troubledApplies,
  troubledApplies,
  troubledApplies,
  fc.oneof({ weight: 4, arbitrary: alike }, { weight: 1, arbitrary: ownKey }),
  fc.oneof(takeOvers, beside),
  fc.oneof({ weight: 3, arbitrary: resolve }, { weight: 1, arbitrary: movedState }),
  troubledSilences,
  othersAndWays,
  fc.oneof(
    { weight: 1, arbitrary: lostAndGate },
    { weight: 1, arbitrary: several(fc.oneof(applies, troubledApplies)) },
  ),
  elsewhere,
  elsewhere,
]

/** The few that are needed where things are deleted, which no other step expects. */
export const deletingSteps: fc.Arbitrary<Step>[] = [editAndApply, others, pause, newKey, deleted, deleted]
