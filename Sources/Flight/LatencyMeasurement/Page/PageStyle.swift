/// The style sheet of the page, for screen and print.
enum PageStyle {
    static let css = """
        :root { color-scheme: light; }
        body { margin: 0; background: #fff; color: #1a1a1a; font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
        main { max-width: 1320px; margin: 0 auto; padding: 24px; }
        h1 { font-size: 26px; margin: 0 0 4px; }
        h2 { font-size: 20px; margin: 36px 0 8px; border-bottom: 2px solid #1a1a1a; padding-bottom: 4px; }
        h3 { font-size: 17px; margin: 24px 0 0; }
        .when { color: #555; margin: 0 0 12px; }
        pre.command { background: #f3f3f3; padding: 10px 12px; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
        .note { border-left: 4px solid #d55e00; padding-left: 10px; }
        .how { margin: 2px 0; color: #444; }
        .verdict { border: 1px solid #999; border-left: 6px solid #0072b2; padding: 4px 16px; margin: 12px 0; }
        .answer { font-size: 17px; font-weight: 600; }
        table { border-collapse: collapse; margin: 8px 0; }
        th, td { border: 1px solid #ccc; padding: 3px 8px; text-align: left; vertical-align: top; }
        h2, table.overview td { overflow-wrap: anywhere; }
        table.overview td:last-child { min-width: 12em; }
        table.figures { font-size: 12.5px; font-variant-numeric: tabular-nums; }
        table.figures td { text-align: right; white-space: nowrap; }
        table.figures td:last-child { white-space: normal; }
        table.figures td.absent { text-align: left; color: #555; white-space: normal; }
        table.figures th, table.figures td { padding: 3px 6px; }
        thead th { background: #f3f3f3; }
        .wide { overflow-x: auto; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 12px; }
        figure { margin: 0; }
        figure svg { width: 100%; height: auto; display: block; }
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
