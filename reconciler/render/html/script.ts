/**
 * The interactive behaviour of the page. Shipped to the browser as it is: the page's policy allows only this text,
 * by its hash. It creates elements and never parses markup.
 */
export const SCRIPT = String.raw`'use strict'
const one = (selector, within = document) => within.querySelector(selector)
const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const make = (name, given = {}) => Object.assign(document.createElement(name), given)
const kept = {
  get: () => { try { return localStorage.getItem('deploymgmt-theme') } catch { return null } },
  set: (name) => { try { localStorage.setItem('deploymgmt-theme', name) } catch { /* for this view alone */ } },
}
const show = (theme) => { document.documentElement.dataset.theme = theme }
const first = kept.get()
if (first === 'light' || first === 'dark') show(first)

const themes = () => {
  const buttons = all('#theme button')
  const press = (name) => buttons.forEach((each) => each.setAttribute('aria-pressed', String(each.dataset.theme === name)))
  buttons.forEach((button) => button.addEventListener('click', () => {
    show(button.dataset.theme)
    kept.set(button.dataset.theme)
    press(button.dataset.theme)
  }))
  press(document.documentElement.dataset.theme || 'auto')
  one('#theme').hidden = false
}

/** Only of what is looked at: ten thousand rows have ten thousand commands. */
const copies = (details) => all('.copied:not(:has(button))', details).forEach((place) => place.append(make('button', { type: 'button', className: 'copy', textContent: 'Copy' })))
const copy = async (button) => {
  const code = one('code', button.parentElement)
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(code)
    button.textContent = 'Selected'
  }
  setTimeout(() => { button.textContent = 'Copy' }, 2000)
}

/** What a link names is shown, and open. */
const reveal = () => {
  const row = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null
  // The report itself is a place to go to as well.
  if (row === null || !row.matches('tr, li')) return
  row.hidden = false
  const details = one('details', row)
  if (details !== null) details.open = true
  row.scrollIntoView({ block: 'center' })
}

const clicks = (event) => {
  const { target } = event
  if (target.matches('.copy')) return copy(target)
  const row = target.closest('table.rows > tbody > tr')
  if (row === null || target.closest('.details, summary, a, button') || !getSelection().isCollapsed) return
  const details = one('details', row)
  details.open = !details.open
}

/** Paper cannot be clicked: what counts is open there. */
const paper = () => {
  let opened = []
  addEventListener('beforeprint', () => {
    opened = all('tr.counts:not([hidden]) details:not([open]), .all:not([open])')
    opened.forEach((each) => { each.open = true })
  })
  addEventListener('afterprint', () => opened.forEach((each) => { each.open = false }))
}

/** How many rows are shown, said once it stays so for a moment: a screen reader says each. */
const telling = (rows) => {
  const told = one('#told')
  let later = 0
  return (count) => {
    const all = rows.length.toLocaleString('en') + (rows.length === 1 ? ' row' : ' rows')
    const said = count === rows.length ? all : count.toLocaleString('en') + ' of ' + all
    clearTimeout(later)
    later = setTimeout(() => { told.textContent = said }, 200)
  }
}

/** Makes a button of each count; which are pressed is kept in the set. */
const switches = (marks, apply) => all('#marks li[data-mark]').map((item) => {
  const button = make('button', { type: 'button' })
  button.setAttribute('aria-pressed', 'false')
  button.append(...item.childNodes)
  button.addEventListener('click', () => {
    const { mark } = item.dataset
    if (!marks.delete(mark)) marks.add(mark)
    button.setAttribute('aria-pressed', String(marks.has(mark)))
    apply()
  })
  item.append(button)
  item.classList.add('switch')
  return button
})

const filtering = (rows) => {
  const input = one('#filter')
  const marks = new Set()
  const texts = new Map()
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase())
    return texts.get(row)
  }
  const tell = telling(rows)
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const row of rows) {
      const fits = (marks.size === 0 || marks.has(row.dataset.mark)) && words.every((word) => textOf(row).includes(word))
      if (fits) count += 1
      if (row.hidden === fits) row.hidden = !fits
    }
    one('#none').hidden = count > 0
    one('#rows').hidden = count === 0
    tell(count)
  }
  const buttons = switches(marks, apply)
  input.addEventListener('input', apply)
  one('#clear').addEventListener('click', () => {
    input.value = ''
    marks.clear()
    buttons.forEach((each) => each.setAttribute('aria-pressed', 'false'))
    apply()
    input.focus()
  })
  one('#filters').hidden = false
  apply()
}

const COLUMNS = ['at', 'is', 'field', 'before', 'after', 'who', 'when']
const sorting = (body, rows) => {
  const heads = all('#rows > thead th:not(.open)')
  const select = one('#sort')
  const order = new Intl.Collator('en', { numeric: true })
  const place = new Map(rows.map((row, index) => [row, index]))
  const keyOf = (row, column) => {
    if (column === 'is') return row.dataset.rank
    const cell = one('.' + column + ':not(.nothing)', row)
    if (cell === null) return ''
    if (column === 'when') { const time = one('time', cell); return time === null ? cell.textContent : time.dateTime }
    const value = one('bdi, code', cell)
    return (value || cell).textContent.trim()
  }
  const sort = (index, descending) => {
    const keys = new Map(rows.map((row) => [row, keyOf(row, COLUMNS[index])]))
    const sign = descending ? -1 : 1
    const sorted = rows.toSorted((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)]
      if ((x === '') !== (y === '')) return x === '' ? 1 : -1
      return sign * order.compare(x, y) || place.get(a) - place.get(b)
    })
    // Emptied first: to move each row out of its place by itself takes a browser a hundred times as long.
    body.replaceChildren()
    body.append(...sorted)
    heads.forEach((head, each) => {
      if (each === index) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending')
      else head.removeAttribute('aria-sort')
    })
    select.value = String(index)
  }
  heads.forEach((head, index) => {
    const button = make('button', { type: 'button', textContent: head.textContent })
    button.addEventListener('click', () => sort(index, head.getAttribute('aria-sort') === 'ascending'))
    select.append(make('option', { value: String(index), textContent: head.textContent }))
    head.replaceChildren(button)
  })
  heads[1].setAttribute('aria-sort', 'ascending')
  select.value = '1'
  select.addEventListener('change', () => sort(Number(select.value), select.value === '6'))
}

addEventListener('DOMContentLoaded', () => {
  themes()
  document.addEventListener('toggle', ({ target }) => copies(target), true)
  all('li:has(> .way)').forEach(copies)
  paper()
  document.addEventListener('click', clicks)
  addEventListener('hashchange', reveal)
  const table = one('#rows')
  if (table !== null) {
    const body = table.tBodies[0]
    const rows = [...body.rows]
    filtering(rows)
    sorting(body, rows)
  }
  reveal()
})
`
