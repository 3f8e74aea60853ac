internal import LatencyMeasurement
/// The style sheet of the page, for screen and print.
enum PageStyle {
    static let css = """
        :root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --soft: #555; --shade: #f3f3f3; --line: #ccc; }
        @media screen and (prefers-color-scheme: dark) {
          :root { --paper: #16181b; --ink: #e6e6e6; --soft: #a8a8a8; --shade: #24272b; --line: #44484d; }
          /* The charts are drawn in dark lines on white: their lightness is turned around, their hues stay. */
          figure svg { filter: invert(0.91) hue-rotate(180deg); }
          a { color: #7cb8ff; }
        }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
        main { max-width: 1320px; margin: 0 auto; padding: 24px; }
        h1 { font-size: 26px; margin: 0 0 4px; }
        h2 { font-size: 20px; margin: 36px 0 8px; border-bottom: 2px solid var(--ink); padding-bottom: 4px; }
        h3 { font-size: 17px; margin: 24px 0 0; }
        .when { color: var(--soft); margin: 0 0 12px; }
        pre.command { background: var(--shade); padding: 10px 12px; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
        .note { border-left: 4px solid #d55e00; padding-left: 10px; }
        .how { margin: 2px 0; color: var(--soft); overflow-wrap: anywhere; }
        .verdict { border: 1px solid #999; border-left: 6px solid #0072b2; padding: 4px 16px; margin: 12px 0; }
        .answer { font-size: 17px; font-weight: 600; }
        table { border-collapse: collapse; margin: 8px 0; }
        th, td { border: 1px solid var(--line); padding: 3px 8px; text-align: left; vertical-align: top; }
        h1, h2, li, p, table.overview td, table.facts td { overflow-wrap: anywhere; }
        table.overview td:last-child { min-width: 12em; }
        table.figures { font-size: 12.5px; font-variant-numeric: tabular-nums; }
        table.figures td { text-align: right; white-space: nowrap; }
        table.figures td:last-child { white-space: normal; }
        table.figures td.absent { text-align: left; color: var(--soft); white-space: normal; }
        table.figures th, table.figures td { padding: 3px 6px; }
        thead th { background: var(--shade); }
        .wide { overflow-x: auto; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 12px; }
        figure { margin: 0; }
        figure svg { width: 100%; height: auto; display: block; }
        @media (max-width: 480px) {
          main { padding: 12px; }
          h1 { font-size: 20px; }
          h2 { font-size: 17px; }
          table.overview td:last-child { min-width: 0; }
          table.facts, table.facts tbody, table.facts tr, table.facts th, table.facts td { display: block; }
          table.facts th { border-bottom: 0; padding-bottom: 0; }
          table.facts td { border-top: 0; }
        }
        @media print {
          @page { size: A4 landscape; margin: 12mm; }
          body { font-size: 10px; }
          main { max-width: none; padding: 0; }
          h2, h3 { break-after: avoid; }
          section { break-before: page; }
          figure, .verdict, tr { break-inside: avoid; }
          .charts { grid-template-columns: 1fr 1fr; }
          .wide { overflow: visible; }
          table.figures { font-size: 9px; }
          th, td { padding: 2px 4px; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }

        """
}
