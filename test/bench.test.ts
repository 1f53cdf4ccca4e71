import { describe, expect, it } from 'vitest'
import { costOf, wallOf } from '../bench/measuring/cost.ts'
import { plot } from '../bench/plot.ts'

const POINTS = [
  { size: 1_000, cpuMs: 400, peakKb: 60_000 },
  { size: 10_000, cpuMs: 2_500, peakKb: 140_000 },
]

describe('the bench', () => {
  it('gives up a command that does not end, with all that it has started', async () => {
    const words = ['bash', '-c', 'sleep 3600; true']
    const command = { words, cwd: '.', env: process.env, limitMs: 60 }
    await expect(costOf(command)).rejects.toThrow('bash -c sleep 3600; true was given up after 0.001 min')
    await expect(wallOf(command)).rejects.toThrow('was given up')
    await expect(wallOf(command, 'output')).rejects.toThrow('was given up')
  })

  it('plots memory where it was measured', () => {
    expect(plot(POINTS)).toContain('peak memory in MB')
    const blind = plot(POINTS.map((point) => ({ ...point, peakKb: undefined })))
    expect(blind).toContain('CPU seconds')
    expect(blind).not.toMatch(/NaN|peak memory/)
  })
})
