export { nodeFiles, type Files, type WritableFile } from '../disk/files.ts'
export { whereSilencesAre } from './silences.ts'
export { copyState, nothingAt, type Copying } from './copy.ts'
export { knownAt, type KnownThere } from './elsewhere.ts'
export { waitForFormerOwner } from './former-owner.ts'
export { sentSince } from './contents/open-intents.ts'
export { type Host, thisHost } from './machine/host.ts'
export { type System, systemWith } from './machine/system.ts'
export {
  expectedAt,
  initState,
  openSession,
  readStored,
  runningOwner,
  unlockState,
  type Stated,
} from './open.ts'
export type { NewIntent } from './contents/intents.ts'
export type * from './contents/journal-model.ts'
export { type LockOwner, whereabouts } from './lock/lock-owner.ts'
export { acquireLock, currentOwner, unlock } from './lock/lock.ts'
export type * from './contents/model.ts'
export { journalPath, lockPath, schemeOf } from './machine/paths.ts'
export { noteFiles, noteProjects, noteReached } from './notes.ts'
export { readSession, type ReadSession } from './read-session.ts'
export { readPushed } from './pushed-file.ts'
export { pushRescue } from './push-rescue.ts'
export { pushState } from './push-state.ts'
export { recover } from './recovery.ts'
export { fingerprint, serializeState, stateDigest } from './contents/serialize.ts'
export { Session } from './session.ts'
export type { Where } from './stores/address.ts'
export { addressFrom } from './stores/index.ts'
export { dropGiven, giveRecords, withBoth, type Both } from './transfer.ts'
export { withSession } from './with-session.ts'
export { checkoutOf, loadState, saveState } from './stores/state-file.ts'
