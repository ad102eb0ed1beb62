package org.fibnuma.core.service.command;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The examples of a command: the footer of its help, one shell command in a line. */
public final class CommandExamples
{
    /** What precedes examples in the help of every command, as picocli has it. */
    private static final String HEADING = "%nExamples:%n";
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private CommandExamples()
    {
    }

    /**
     * Asserts that a command and all below it have examples, that each example is one of its command or of a command
     * below that, and that the command takes its words.
     *
     * @param command whose qualified name is what a user types.
     */
    public static void assertRead(final CommandLine command)
    {
        final CommandSpec spec = command.getCommandSpec();
        final String name = spec.qualifiedName();
        assertEquals(HEADING, String.join("", spec.usageMessage().footerHeading()), name);
        final List<String> examples = of(spec);
        assertFalse(examples.isEmpty(), name);
        for (final String example : examples)
        {
            assertTrue((example + " ").startsWith(name + " "), () -> "of " + name + ": " + example);
            parse(command, words(example));
        }
        command.getSubcommands().values().stream().distinct().forEach(CommandExamples::assertRead);
    }

    /**
     * Asserts that a start, which inspects the class of the named subcommand only, has the help and subcommands that
     * the whole command has.
     *
     * @param command main class.
     */
    public static void assertSameAtAStart(final Class<?> command)
    {
        new CommandLine(command).getSubcommands().forEach(
            (name, whole) -> assertSame(whole, Commands.forArguments(command, name).getSubcommands().get(name)));
    }

    private static void assertSame(final CommandLine whole, final CommandLine started)
    {
        assertEquals(whole.getUsageMessage(), started.getUsageMessage());
        assertEquals(whole.getSubcommands().keySet(), started.getSubcommands().keySet(), whole.getCommandName());
        whole.getSubcommands().forEach((name, below) -> assertSame(below, started.getSubcommands().get(name)));
    }

    /** Parses from the first word on: picocli needs what it has made of the commands above. */
    private static void parse(final CommandLine command, final List<String> words)
    {
        CommandLine top = command;
        while (top.getParent() != null)
        {
            top = top.getParent();
        }
        // As the commands do that have such values.
        top.setCaseInsensitiveEnumValuesAllowed(true);
        top.parseArgs(words.subList(top.getCommandName().split(" ").length, words.size()).toArray(String[]::new));
    }

    private static List<String> of(final CommandSpec command)
    {
        return Stream.of(command.usageMessage().footer()).map(String::strip).collect(Collectors.toList());
    }

    /** Yields the words of the first command of a pipe, as a shell divides them. */
    private static List<String> words(final String example)
    {
        final List<String> words = new ArrayList<>();
        final Matcher matcher = WORD.matcher(example);
        while (matcher.find() && !"|".equals(matcher.group()))
        {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words;
    }
}
