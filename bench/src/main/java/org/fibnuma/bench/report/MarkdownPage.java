package org.fibnuma.bench.report;

import org.fibnuma.core.service.command.Commands;

import java.util.ArrayList;
import java.util.List;

/** The report in Markdown, with the same values as the page; its plots are the files of the page. */
final class MarkdownPage
{
    private final StringBuilder text = new StringBuilder();

    private MarkdownPage()
    {
    }

    /** Returns the text. */
    static String of(final Report report)
    {
        final MarkdownPage page = new MarkdownPage();
        page.write(report);
        return page.text.toString();
    }

    private void write(final Report report)
    {
        line("# Fibnuma beside the papers\n");
        line("    " + report.command() + "\n");
        line("| | |\n|---|---|");
        row(List.of("version", Commands.VERSION));
        report.machine().forEach((name, value) -> row(List.of(name, value.toString())));
        row(List.of("seconds", Double.toString(report.seconds())));
        Paper paper = null;
        for (final MeasuredFigure figure : report.figures())
        {
            if (Paper.of(figure.figure().id()) != paper)
            {
                paper = Paper.of(figure.figure().id());
                line("\n## " + escaped(paper.title()));
            }
            write(figure);
        }
        line("\n## What only hardware has\n");
        line("| figure | reason |\n|---|---|");
        HardwareOnly.ALL.forEach(each -> row(List.of(each.title(), each.reason())));
    }

    private void write(final MeasuredFigure measured)
    {
        final Figure figure = measured.figure();
        line("\n### " + escaped(figure.title()) + "\n");
        if (measured.missing() != null)
        {
            line("Not measured: " + escaped(measured.missing()) + "\n");
        }
        if (measured.isDrawn())
        {
            line("![" + escaped(figure.title()) + "](" + figure.id() + ".svg)\n");
        }
        row(cells(figure.unit(), figure.columnsLabel(), figure.columns()));
        line("|" + "---|".repeat(figure.columns().size() + 2));
        figure.paper().forEach(each -> row(cells("paper", each.name(), each.texts())));
        measured.ours().forEach(each -> row(cells("ours", each.name(), each.texts())));
        line("\n" + escaped(figure.differs()));
        measured.leftOut().forEach(each -> line("\nLeft out: " + escaped(each)));
        line("\n" + measured.seconds() + " s:\n");
        measured.commands().forEach(each -> line("    " + each));
    }

    private static List<String> cells(final String first, final String second, final List<String> others)
    {
        final List<String> cells = new ArrayList<>(List.of(first, second));
        cells.addAll(others);
        return cells;
    }

    private void row(final List<String> cells)
    {
        line("| " + String.join(" | ", cells.stream().map(MarkdownPage::escaped).toList()) + " |");
    }

    private void line(final String content)
    {
        text.append(content).append('\n');
    }

    /** Marks what Markdown or HTML would read as its own. */
    private static String escaped(final String content)
    {
        return content.replaceAll("([\\\\`*_\\[\\]|<>#])", "\\\\$1").replace("&", "&amp;").replace("\n", " ");
    }
}
