package org.fibnuma.packaging;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.ipnuma.config.EndpointConfigReader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the reference of the configuration as manual page fibnuma.toml(5) and as Markdown, from the keys that the
 * readers declare. Main class.
 */
public final class ConfigurationPage
{
    private static final String NAME = "fibnuma.toml";
    private static final List<String> INTRODUCTION = List.of(
        """
        A router (`fibnuma router -c FILE`) and an endpoint of remote memory (`fibnuma ipnuma endpoint -c FILE`) are
        configured by a TOML file. For an unknown key, a value out of range or a port that cannot be opened, the program
        prints one line with file, line and key, and no part of it starts.""",
        """
        `fibnuma reload` and `fibnuma ipnuma reload` read the file of a running program again. A change of a key with
        "reload" is applied. If a key with "restart" differs, one line names it, and nothing changes. "Since" is the
        version that had the key first.""");
    private static final String EXAMPLE = """
        [router]
        name = "edge"               # commands find the router by this name
        workers = 1                 # threads of the data path
        log-level = "info"

        [[port]]
        name = "left"
        device = "xdp:eth1"         # an interface of the kernel
        acl-in = "from-left"        # the list below, for received frames

        [[port]]
        name = "right"
        device = "xdp:eth2"

        [[acl]]
        name = "from-left"
        default = "permit"          # for packets that no rule decides about

        [[acl.rule]]
        action = "deny"             # drops silently
        protocol = "tcp"
        destination-port = "23"

        [http]                      # live page and metrics
        listen = "127.0.0.1:9473"
        """;

    private final StringBuilder manual;
    private final StringBuilder markdown = new StringBuilder("# Configuration\n\n");
    /** The heading below which each key is described, and the heading of each table. */
    private final Map<ConfigKey<?>, String> described = new HashMap<>();

    private ConfigurationPage(final String version)
    {
        manual = ManPages.start(NAME, 5, "configuration of routers and endpoints", version);
    }

    /**
     * Writes both documents. The arguments are the directory of the manual page, that of the Markdown document, and the
     * version.
     *
     * @throws IOException if a document cannot be written.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final ConfigurationPage page = new ConfigurationPage(arguments[2]);
        page.append();
        Files.writeString(Files.createDirectories(Path.of(arguments[0])).resolve(NAME + ".5"), page.manual);
        Files.writeString(Files.createDirectories(Path.of(arguments[1])).resolve(NAME + ".md"), page.markdown);
    }

    private void append()
    {
        manual.append(".SH DESCRIPTION\n");
        INTRODUCTION.forEach(paragraph -> manual.append(".PP\n").append(roff(paragraph)).append('\n'));
        manual.append(".SH EXAMPLE\n.EX\n").append(ManPages.escaped(EXAMPLE)).append(".EE\n");
        markdown.append(String.join("\n\n", INTRODUCTION))
            .append("\n\n## Example\n\nA router on two interfaces:\n\n```toml\n").append(EXAMPLE).append("```\n");
        appendTables("Router", ConfigReader.TABLES);
        appendTables("Endpoint of remote memory", EndpointConfigReader.TABLES);
        manual.append(".SH FILES\n/etc/fibnuma/NAME.toml, /usr/share/fibnuma/examples\n.SH SEE ALSO\n")
            .append("\\fBfibnuma\\-router\\fR(1), \\fBfibnuma\\-ipnuma\\-endpoint\\fR(1)\n");
    }

    private void appendTables(final String title, final ConfigTable tables)
    {
        markdown.append("\n## ").append(title).append('\n');
        manual.append(".SH \"").append(title.toUpperCase(Locale.ROOT)).append("\"\n");
        appendTables(tables, "");
    }

    private void appendTables(final ConfigTable tables, final String prefix)
    {
        final List<String> elsewhere = new ArrayList<>();
        for (final ConfigKey<?> key : tables.keys())
        {
            if (key.table() != null)
            {
                final String path = prefix + key.name();
                final String heading = key.isArrayOfTables() ? "[[" + path + "]]" : "[" + path + "]";
                if (described.putIfAbsent(key, heading) == null)
                {
                    appendTable(heading, key);
                    appendTables(key.table(), path + ".");
                }
                else
                {
                    elsewhere.add("`" + heading + "`");
                }
            }
        }
        if (!elsewhere.isEmpty())
        {
            appendParagraph(String.join(", ", elsewhere) + " is as in the file of a router.");
        }
    }

    private void appendTable(final String heading, final ConfigKey<?> table)
    {
        markdown.append("\n### `").append(heading).append("`\n");
        manual.append(".SS ").append(ManPages.escaped(heading)).append('\n');
        appendParagraph(meaning(table));
        markdown.append("\n| key | values | default | since | change | meaning |\n|---|---|---|---|---|---|\n");
        final Map<String, List<String>> elsewhere = new HashMap<>();
        for (final ConfigKey<?> key : table.table().keys())
        {
            final String other = key.table() == null ? described.putIfAbsent(key, heading) : null;
            if (other != null)
            {
                elsewhere.computeIfAbsent(other, each -> new ArrayList<>()).add("`" + key + "`");
            }
            else if (key.table() == null)
            {
                appendKey(key);
            }
        }
        elsewhere.forEach((other, keys) ->
            appendParagraph("As in `" + other + "`: " + String.join(", ", keys) + "."));
    }

    private void appendKey(final ConfigKey<?> key)
    {
        final String byDefault = key.defaultText().isEmpty() ? "`" + key.defaultToml() + "`" : key.defaultText();
        final String change = key.isReloaded() ? "reload" : "restart";
        markdown.append(List.of("`" + key + "`", key.type(), byDefault, key.since(), change, meaning(key)).stream()
            .map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n")));
        manual.append(".TP\n\\fB").append(ManPages.escaped(key.name())).append("\\fR\n").append(roff(meaning(key)))
            .append("\n.br\n").append(roff("Values: " + key.type() + ". Default: " + byDefault + ". Since " +
            key.since() + ". Change: " + change + ".")).append('\n');
    }

    private void appendParagraph(final String text)
    {
        markdown.append('\n').append(text).append('\n');
        manual.append(".PP\n").append(roff(text)).append('\n');
    }

    private static String meaning(final ConfigKey<?> key)
    {
        return key.text() + (key.onlyFor().isEmpty() ? "" : " Only for " + key.onlyFor() + ".");
    }

    private static String roff(final String text)
    {
        return ManPages.escaped(text).replaceAll("`([^`]*)`", "\\\\fB$1\\\\fR");
    }
}
