/* What can be read from each mark of a chart, shown beside it: to a mouse, a finger, and keys.
 *
 * Every mark has it as its `<title>`, which a browser shows on hover without this script. It repeats
 * the table of the chart, so nothing is said here alone. A chart is one tab stop; arrows move in it.
 */
(() => {
  "use strict";

  const REACH = 48; // px: how far from a mark a pointer still means it
  const ROOM = 10; // px: between a mark and what is said of it

  /** A chart whose marks can be read. */
  class Readable {
    constructor(svg) {
      this.svg = svg;
      this.said = new Map();
      for (const title of svg.querySelectorAll("g > title")) {
        this.said.set(title.parentElement, title.textContent);
        title.remove(); // or the browser would show it as well
      }
      this.marks = [...this.said.keys()];
      this.rows = [...new Set(this.marks.map(rowOf))];
      this.shown = null;
      this.box = document.createElement("output"); // those who listen hear each reading once
      this.box.className = "chart-reading";
      this.box.hidden = true;
      svg.after(this.box);
    }

    show(mark) {
      if (mark === this.shown) return;
      this.hide();
      if (!mark) return;
      this.shown = mark;
      mark.classList.add("read");
      this.box.hidden = false;
      this.box.textContent = this.said.get(mark);
      this.place(placeOf(mark));
    }

    /** Put the box above a mark, or below where the window ends; it never leaves the chart. */
    place(mark) {
      const chart = this.svg.getBoundingClientRect();
      const around = this.box.offsetParent.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = this.box;
      const middle = (mark.left + mark.right) / 2;
      const left = Math.max(chart.left, Math.min(middle - width / 2, chart.right - width));
      const above = mark.top - height - ROOM;
      this.box.style.left = `${left - around.left}px`;
      this.box.style.top = `${(above < 0 ? mark.bottom + ROOM : above) - around.top}px`;
    }

    hide() {
      this.shown?.classList.remove("read");
      this.shown = null;
      this.box.hidden = true;
    }

    /** Return the mark that a pointer means, or null. */
    nearest({ clientX: x, clientY: y }) {
      let found = null;
      let least = REACH;
      for (const mark of this.marks) {
        const box = mark.getBoundingClientRect();
        // A bar is meant all along its row.
        const across = mark.matches(".case") ? 0 : Math.max(box.left - x, x - box.right, 0);
        const far = Math.hypot(across, Math.max(box.top - y, y - box.bottom, 0));
        if (far < least) [found, least] = [mark, far];
      }
      return found;
    }

    /** Return the mark that a key leads to, or undefined where it leads nowhere. */
    after(key) {
      const at = this.marks.indexOf(this.shown);
      const last = this.marks.length - 1;
      if (key === "Home") return this.marks[0];
      if (key === "End") return this.marks[last];
      if (at < 0) return /^Arrow/.test(key) ? this.marks[0] : undefined;
      if (key === "ArrowRight") return this.marks[Math.min(at + 1, last)];
      if (key === "ArrowLeft") return this.marks[Math.max(at - 1, 0)];
      if (key === "ArrowDown") return this.inRow(1);
      if (key === "ArrowUp") return this.inRow(-1);
      return undefined;
    }

    /** Return the mark in a neighbouring row, a case or a curve, that is nearest across. */
    inRow(step) {
      const row = this.rows[this.rows.indexOf(rowOf(this.shown)) + step];
      if (!row) return this.shown;
      const across = (mark) => placeOf(mark).left - placeOf(this.shown).left;
      const there = this.marks.filter((mark) => rowOf(mark) === row);
      return there.reduce((one, other) =>
        Math.abs(across(other)) < Math.abs(across(one)) ? other : one);
    }
  }

  const rowOf = (mark) => mark.closest(".trace, .case");
  const placeOf = (mark) => mark.querySelector(".mark").getBoundingClientRect();

  const charts = new WeakMap();
  const readable = (svg) => {
    if (!charts.has(svg)) charts.set(svg, new Readable(svg));
    return charts.get(svg);
  };

  for (const svg of document.querySelectorAll("svg.chart")) {
    svg.setAttribute("tabindex", "0");
    const follow = (event) => readable(svg).show(readable(svg).nearest(event));
    svg.addEventListener("pointerdown", follow);
    svg.addEventListener("pointermove", follow);
    svg.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType === "mouse") readable(svg).hide();
    });
    svg.addEventListener("blur", () => readable(svg).hide());
    svg.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const chart = readable(svg);
      if (event.key === "Escape") chart.hide();
      const mark = chart.after(event.key);
      if (!mark) return;
      event.preventDefault();
      chart.show(mark);
    });
  }
})();
