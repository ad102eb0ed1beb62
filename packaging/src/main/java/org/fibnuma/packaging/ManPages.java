package org.fibnuma.packaging;

import org.fibnuma.fibnic.fate.DropReason;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes one manual page, as man(7) describes, for each picocli command and for the launcher. Main class. */
public final class ManPages
{
    private static final String LAUNCHER = LauncherCommands.LAUNCHER;
    private static final String DROPS = "fibnuma-show-drops";
    private static final String CONFIGURATION = "\\fBfibnuma.toml\\fR(5)";

    private final Path directory;
    private final String version;

    private ManPages(final Path directory, final String version)
    {
        this.directory = directory;
        this.version = version;
    }

    /**
     * Writes the pages. The arguments are their directory, the version, and the main classes whose commands are
     * described.
     *
     * @throws IOException if a page cannot be written.
     * @throws ClassNotFoundException if a main class does not exist.
     */
    public static void main(final String[] arguments) throws IOException, ClassNotFoundException
    {
        final List<CommandSpec> commands = LauncherCommands.of(List.of(arguments).subList(2, arguments.length));
        final ManPages pages = new ManPages(Files.createDirectories(Path.of(arguments[0])), arguments[1]);
        pages.writeLauncher(commands);
        for (final CommandSpec command : commands)
        {
            pages.write(command);
        }
    }

    private void writeLauncher(final List<CommandSpec> commands) throws IOException
    {
        final StringBuilder page = start(
            LAUNCHER, 1, "software router, remote memory over IP, lossless Ethernet", version);
        page.append(".SH SYNOPSIS\n.B fibnuma\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n");
        appendCommands(page, commands);
        page.append(".SH ENVIRONMENT\n.TP\n.B JAVA_HOME\nDirectory of the Java runtime, 17 or later.\n");
        page.append(".TP\n.B FIBNUMA_JAVA_OPTS\nJVM options that are added, separated by spaces.\n");
        appendExitStatus(page);
        page.append(".SH SEE ALSO\n").append(CONFIGURATION).append('\n');
        store(LAUNCHER, page);
    }

    private void write(final CommandSpec command) throws IOException
    {
        final String[] description = command.usageMessage().description();
        final StringBuilder page = start(pageName(command), 1, description.length == 0 ? "" : description[0], version);
        final Help help = new Help(command, Help.defaultColorScheme(Ansi.OFF));
        page.append(".SH SYNOPSIS\n").append(escaped(help.synopsis(0).replaceAll("\\s+", " ").strip())).append('\n');
        page.append(".SH DESCRIPTION\n");
        Stream.of(description).forEach(line -> page.append(".PP\n").append(escaped(line)).append('\n'));
        appendArguments(page, "PARAMETERS", command.positionalParameters());
        appendArguments(page, "OPTIONS", command.options());
        appendCommands(page, LauncherCommands.below(command));
        if (pageName(command).equals(DROPS))
        {
            appendDropReasons(page);
        }
        appendExitStatus(page);
        page.append(".SH EXAMPLES\n.EX\n");
        Stream.of(command.usageMessage().footer())
            .forEach(example -> page.append(escaped(example.strip())).append('\n'));
        page.append(".EE\n");
        page.append(".SH SEE ALSO\n").append(reference(parentPage(command)))
            .append(command.findOption("--config") == null ? "" : ", " + CONFIGURATION).append('\n');
        store(pageName(command), page);
        for (final CommandSpec subcommand : LauncherCommands.below(command))
        {
            write(subcommand);
        }
    }

    /** Starts a page of a section of the manual with its heading, its name and a summary of one line. */
    static StringBuilder start(final String name, final int section, final String summary, final String version)
    {
        return new StringBuilder(".TH \"").append(escaped(name.toUpperCase(Locale.ROOT)))
            .append("\" ").append(section).append(" \"\" \"fibnuma ").append(version)
            .append("\" \"Fibnuma\"\n.nh\n.ad l\n.SH NAME\n")
            .append(escaped(name)).append(" \\- ").append(escaped(summary.replaceAll("[.:]$", ""))).append('\n');
    }

    private static void appendArguments(
        final StringBuilder page, final String heading, final List<? extends ArgSpec> arguments)
    {
        final List<? extends ArgSpec> shown = arguments.stream().filter(argument -> !argument.hidden()).toList();
        if (!shown.isEmpty())
        {
            page.append(".SH ").append(heading).append('\n');
        }
        shown.forEach(argument -> page.append(".TP\n").append(label(argument)).append('\n')
            .append(escaped(String.join(" ", argument.description()))).append('\n'));
    }

    private static String label(final ArgSpec argument)
    {
        if (argument instanceof PositionalParamSpec)
        {
            return "\\fI" + escaped(argument.paramLabel()) + "\\fR";
        }
        final String names = Stream.of(((OptionSpec)argument).names())
            .map(name -> "\\fB" + escaped(name) + "\\fR").collect(Collectors.joining(", "));
        return argument.arity().max() == 0 ? names : names + "=\\fI" + escaped(argument.paramLabel()) + "\\fR";
    }

    private static void appendCommands(final StringBuilder page, final List<CommandSpec> commands)
    {
        if (!commands.isEmpty())
        {
            page.append(".SH COMMANDS\n");
        }
        commands.forEach(command -> page.append(".TP\n").append(reference(pageName(command))).append('\n')
            .append(escaped(String.join(" ", command.usageMessage().description()))).append('\n'));
    }

    private static void appendDropReasons(final StringBuilder page)
    {
        page.append(".SH DROP REASONS\n");
        for (final DropReason reason : DropReason.values())
        {
            page.append(".TP\n.B ").append(escaped(reason.label())).append('\n');
            page.append(escaped(reason.meaning())).append("\n.br\n").append(escaped(reason.remedy())).append('\n');
        }
    }

    private static void appendExitStatus(final StringBuilder page)
    {
        page.append(".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage or configuration.\n");
    }

    private static String reference(final String page)
    {
        return "\\fB" + escaped(page) + "\\fR(1)";
    }

    private static String pageName(final CommandSpec command)
    {
        return command.qualifiedName("-").replace(' ', '-');
    }

    private static String parentPage(final CommandSpec command)
    {
        return command.parent() == null ? LAUNCHER : pageName(command.parent());
    }

    /**
     * Escapes a text for roff: a hyphen stays one, and a line does not begin with a control character. Picocli's texts
     * have two percent signs for one.
     */
    static String escaped(final String text)
    {
        return text.replace("%%", "%").replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }

    private void store(final String name, final StringBuilder page) throws IOException
    {
        Files.writeString(directory.resolve(name + ".1"), page);
    }
}
