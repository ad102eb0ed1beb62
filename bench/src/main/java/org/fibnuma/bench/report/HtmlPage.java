package org.fibnuma.bench.report;

import org.fibnuma.core.service.command.Commands;

import java.util.List;

/** The report as one page, without scripts; its plots are files beside it. */
final class HtmlPage
{
    private static final String STYLE = """
        :root { color-scheme: light dark;
        --text: #1f2328; --back: #fff; --line: #d0d7de; --soft: #656d76; --own: #eef6ff; }
        @media (prefers-color-scheme: dark) {
        :root { --text: #e6edf3; --back: #161b22; --line: #373e47; --soft: #9198a1; --own: #1b2b3f; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--back); color: var(--text);
        font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin-top: 3rem; }
        h3 { font-size: 1.1rem; margin-top: 2.5rem; }
        a { color: inherit; }
        .wide { overflow-x: auto; }
        .wide img { display: block; min-width: 36rem; max-width: 100%; height: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: right; white-space: nowrap; }
        th:nth-child(-n+2), td:nth-child(-n+2), .text td, .text th { text-align: left; }
        .text td { white-space: normal; }
        tr.own { background: var(--own); }
        code { font-size: .9em; }
        .soft { color: var(--soft); }
        .missing { border-left: 4px solid #bf8700; padding-left: .6rem; }
        """;

    private final StringBuilder html = new StringBuilder();

    private HtmlPage()
    {
    }

    /** Returns the page. */
    static String of(final Report report)
    {
        final HtmlPage page = new HtmlPage();
        page.write(report);
        return page.html.toString();
    }

    private void write(final Report report)
    {
        line("<!DOCTYPE html>");
        line("<html lang=\"en\"><head><meta charset=\"utf-8\">");
        line("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        line("<link rel=\"icon\" href=\"data:,\"><title>Fibnuma beside the papers</title>");
        line("<style>" + STYLE + "</style></head><body>");
        line("<h1>Fibnuma beside the papers</h1>");
        line("<p>Every figure and table of the papers that software can reproduce: the paper's values, and ours on " +
            "this machine. Times and rates are of one machine at one time.</p>");
        writeMachine(report);
        writeContents(report.figures());
        Paper paper = null;
        for (final MeasuredFigure figure : report.figures())
        {
            if (Paper.of(figure.figure().id()) != paper)
            {
                paper = Paper.of(figure.figure().id());
                line("<h2>" + escaped(paper.title()) + "</h2>");
            }
            write(figure);
        }
        line("<h2>What only hardware has</h2><div class=\"wide\"><table class=\"text\">");
        HardwareOnly.ALL.forEach(each ->
            line("<tr><td>" + escaped(each.title()) + "</td><td>" + escaped(each.reason()) + "</td></tr>"));
        line("</table></div></body></html>");
    }

    private void writeMachine(final Report report)
    {
        line("<div class=\"wide\"><table class=\"text\">");
        writeFact("command", report.command());
        writeFact("version", Commands.VERSION);
        report.machine().forEach((name, value) -> writeFact(name, value.toString()));
        writeFact("seconds", Double.toString(report.seconds()));
        line("</table></div>");
    }

    private void writeFact(final String name, final String value)
    {
        line("<tr><th>" + escaped(name) + "</th><td>" + escaped(value) + "</td></tr>");
    }

    private void writeContents(final List<MeasuredFigure> figures)
    {
        line("<nav><ul>");
        for (final MeasuredFigure each : figures)
        {
            line("<li><a href=\"#" + escaped(each.figure().id()) + "\">" + escaped(each.figure().title()) + "</a>" +
                (each.missing() == null ? "" : " <span class=\"soft\">(not measured)</span>") + "</li>");
        }
        line("</ul></nav>");
    }

    private void write(final MeasuredFigure measured)
    {
        final Figure figure = measured.figure();
        line("<section id=\"" + escaped(figure.id()) + "\"><h3>" + escaped(figure.title()) + "</h3>");
        if (measured.missing() != null)
        {
            line("<p class=\"missing\">Not measured: " + escaped(measured.missing()) + "</p>");
        }
        if (measured.isDrawn())
        {
            line("<div class=\"wide\"><picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"" +
                escaped(figure.id()) + "-dark.svg\"><img src=\"" + escaped(figure.id()) + ".svg\" alt=\"" +
                escaped(figure.title()) + "; the table has the values\"></picture></div>");
        }
        writeTable(measured);
        line("<p>" + escaped(figure.differs()) + "</p>");
        measured.leftOut().forEach(each -> line("<p class=\"soft\">Left out: " + escaped(each) + "</p>"));
        measured.commands().forEach(each -> line("<div><code>" + escaped(each) + "</code></div>"));
        line("<p class=\"soft\">" + measured.seconds() + " s</p>");
        line("</section>");
    }

    private void writeTable(final MeasuredFigure measured)
    {
        final Figure figure = measured.figure();
        line("<div class=\"wide\"><table><tr><th>" + escaped(figure.unit()) + "</th><th>" +
            escaped(figure.columnsLabel()) + "</th>" + cells("th", figure.columns()) + "</tr>");
        figure.paper().forEach(each -> line("<tr><td>paper</td><td>" + escaped(each.name()) + "</td>" +
            cells("td", each.texts()) + "</tr>"));
        measured.ours().forEach(each -> line("<tr class=\"own\"><td>ours</td><td>" + escaped(each.name()) + "</td>" +
            cells("td", each.texts()) + "</tr>"));
        line("</table></div>");
    }

    private static String cells(final String element, final List<String> texts)
    {
        final StringBuilder cells = new StringBuilder();
        texts.forEach(text -> cells.append('<').append(element).append('>').append(escaped(text))
            .append("</").append(element).append('>'));
        return cells.toString();
    }

    private void line(final String text)
    {
        html.append(text).append('\n');
    }

    private static String escaped(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
