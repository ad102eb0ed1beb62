package org.fibnuma.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the reference of the configuration as manual page fibnuma.toml(5) and as Markdown, from the sections
 * "Configuration" of the READMEs. These have paragraphs and TOML with comments, nothing else. Main class.
 */
public final class ConfigurationPage
{
    private static final String NAME = "fibnuma.toml";
    private static final String SECTION = "## Configuration";
    /** Titles of the page and their READMEs. */
    private static final List<Map.Entry<String, String>> SOURCES = List.of(
        Map.entry("Router", "README.md"),
        Map.entry("Lossless priorities of a router", "pfc-agent/README.md"),
        Map.entry("Endpoint of remote memory", "ipnuma-endpoint/README.md"));
    private static final Pattern TABLE = Pattern.compile("#?(\\[.*\\])(?:\\s+# (.*))?");
    private static final Pattern KEY = Pattern.compile("(#? ?[a-z][a-z0-9-]* = .*?)(?:\\s+# (.*))?");
    private static final Pattern CONTINUATION = Pattern.compile("#\\s{3,}# (.*)");

    private final StringBuilder page;

    private ConfigurationPage(final String version)
    {
        page = ManPages.start(NAME, 5, "configuration of routers and endpoints", version);
    }

    /**
     * Writes both documents.
     *
     * @param arguments directory of the manual page, directory of the Markdown document, version, and directory of the
     *                  READMEs.
     * @throws IOException where a document cannot be read or written, and where a README has no such section.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final ConfigurationPage page = new ConfigurationPage(arguments[2]);
        final StringBuilder markdown = new StringBuilder("# Configuration\n");
        for (final Map.Entry<String, String> source : SOURCES)
        {
            final List<String> lines = section(Path.of(arguments[3], source.getValue()));
            page.append(source.getKey(), lines);
            markdown.append("\n## ").append(source.getKey()).append('\n')
                .append(String.join("\n", lines).stripTrailing()).append('\n');
        }
        page.page.append(".SH FILES\n/etc/fibnuma/NAME.toml, /usr/share/fibnuma/examples\n.SH SEE ALSO\n")
            .append("\\fBfibnuma\\-router\\fR(1), \\fBfibnuma\\-ipnuma\\-endpoint\\fR(1)\n");
        Files.writeString(Files.createDirectories(Path.of(arguments[0])).resolve(NAME + ".5"), page.page);
        Files.writeString(Files.createDirectories(Path.of(arguments[1])).resolve(NAME + ".md"), markdown);
    }

    /** Returns the lines of the section without its heading and its subsections. */
    private static List<String> section(final Path file) throws IOException
    {
        final List<String> section = new ArrayList<>();
        final List<String> lines = Files.readAllLines(file);
        final int start = lines.indexOf(SECTION) + 1;
        if (start == 0)
        {
            throw new IOException(file + " has no section \"" + SECTION + "\"");
        }
        for (int i = start; i < lines.size() && !lines.get(i).matches("##+ .*"); i++)
        {
            section.add(lines.get(i));
        }
        return section;
    }

    private void append(final String title, final List<String> lines)
    {
        page.append(".SH \"").append(ManPages.escaped(title.toUpperCase(Locale.ROOT))).append("\"\n");
        boolean isToml = false;
        for (final String line : lines)
        {
            if (line.startsWith("```"))
            {
                isToml = !isToml;
                page.append(".PP\n");
            }
            else if (line.isBlank())
            {
                page.append(".PP\n");
            }
            else if (isToml)
            {
                appendToml(line);
            }
            else
            {
                page.append(ManPages.escaped(line).replaceAll("`([^`]*)`", "\\\\fB$1\\\\fR")).append('\n');
            }
        }
    }

    private void appendToml(final String line)
    {
        final Matcher continuation = CONTINUATION.matcher(line);
        final Matcher table = TABLE.matcher(line);
        final Matcher key = KEY.matcher(line);
        if (continuation.matches())
        {
            page.append(ManPages.escaped(continuation.group(1))).append('\n');
        }
        else if (table.matches())
        {
            page.append(".SS ").append(ManPages.escaped(table.group(1))).append('\n');
            page.append(table.group(2) == null ? "" : ManPages.escaped(table.group(2)) + '\n');
        }
        else if (key.matches())
        {
            page.append(".TP\n\\fB").append(ManPages.escaped(key.group(1))).append("\\fR\n");
            page.append(key.group(2) == null ? "\\&" : ManPages.escaped(key.group(2))).append('\n');
        }
        else
        {
            page.append(".PP\n").append(ManPages.escaped(line.replaceAll("^# ?", ""))).append('\n');
        }
    }
}
