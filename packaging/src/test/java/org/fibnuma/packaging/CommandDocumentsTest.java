package org.fibnuma.packaging;

import org.fibnuma.core.service.command.CommandExamples;
import org.fibnuma.fibnic.fate.DropReason;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Manual pages and completion describe the picocli models of the same main classes, which the build names. */
class CommandDocumentsTest
{
    private static final Pattern MAIN_CLASS =
        Pattern.compile("<argument>(org\\.fibnuma\\.[a-z.]+\\.[A-Z][A-Za-z]+Command)</argument>");

    @TempDir
    private static Path directory;
    private static List<String> mainClasses;
    private static String completion;

    @BeforeAll
    static void write() throws Exception
    {
        final List<String> named = MAIN_CLASS.matcher(Files.readString(Path.of("pom.xml"))).results()
            .map(match -> match.group(1)).collect(Collectors.toList());
        mainClasses = named.stream().distinct().collect(Collectors.toList());
        final List<String> twice = new ArrayList<>(mainClasses);
        twice.addAll(mainClasses);
        assertEquals(twice, named, "the build names the same main classes for pages and completion");
        ManPages.main(concat(directory.resolve("man").toString(), "1.2.3"));
        final Path file = directory.resolve("completion/fibnuma");
        BashCompletion.main(concat(file.toString()));
        completion = Files.readString(file);
    }

    @Test
    void shouldHaveAPageForEveryCommandAndNoOther() throws Exception
    {
        final Set<String> expected = new TreeSet<>();
        expected.add("fibnuma.1");
        everyCommand().forEach(command -> expected.add(path(command).replace(' ', '-') + ".1"));
        try (Stream<Path> pages = Files.list(directory.resolve("man")))
        {
            assertEquals(expected,
                pages.map(page -> page.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new)));
        }
        assertTrue(expected.contains("fibnuma-router.1"), expected::toString);
        assertTrue(expected.contains("fibnuma-ipnuma-endpoint.1"), expected::toString);
    }

    @Test
    void shouldDescribeEveryOption() throws Exception
    {
        for (final CommandSpec command : everyCommand())
        {
            final String page =
                Files.readString(directory.resolve("man").resolve(path(command).replace(' ', '-') + ".1"));
            final Set<String> words = completionOf(command);
            for (final OptionSpec option : command.options())
            {
                for (final String name : option.names())
                {
                    if (!option.hidden())
                    {
                        assertTrue(page.contains("\\fB" + name.replace("-", "\\-") + "\\fR"), path(command) + name);
                        assertTrue(words.contains(name), path(command) + " " + name + ": " + words);
                    }
                }
            }
            for (final String subcommand : command.subcommands().keySet())
            {
                assertTrue(words.contains(subcommand), path(command) + " " + subcommand + ": " + words);
            }
        }
    }

    @Test
    void shouldExplainEveryDropReason() throws Exception
    {
        final String page = Files.readString(directory.resolve("man/fibnuma-show-drops.1"));
        for (final DropReason reason : DropReason.values())
        {
            assertTrue(page.contains("\n.TP\n.B " + reason.label().replace("-", "\\-") + "\n" +
                reason.meaning().replace("-", "\\-") + "\n.br\n" + reason.remedy().replace("-", "\\-") + "\n"), page);
        }
    }

    @Test
    void shouldHaveExamplesOfEveryCommand() throws Exception
    {
        for (final CommandSpec command : LauncherCommands.of(mainClasses))
        {
            CommandExamples.assertRead(command.commandLine());
        }
        for (final CommandSpec command : everyCommand())
        {
            final String page =
                Files.readString(directory.resolve("man").resolve(path(command).replace(' ', '-') + ".1"));
            final String examples = Stream.of(command.usageMessage().footer())
                .map(example -> example.strip().replace("-", "\\-") + "\n").collect(Collectors.joining());
            assertTrue(page.contains("\n.SH EXAMPLES\n.EX\n" + examples + ".EE\n"), page);
        }
    }

    @Test
    void shouldHaveTheSameCommandsAtAStart() throws Exception
    {
        for (final String mainClass : mainClasses)
        {
            CommandExamples.assertSameAtAStart(Class.forName(mainClass));
        }
    }

    /** Yields all words that the function of a command offers. */
    private static Set<String> completionOf(final CommandSpec command)
    {
        final String function = "_picocli_" + path(command).replace(' ', '_');
        final Matcher body =
            Pattern.compile("(?ms)^function " + function + "\\(\\) \\{(.*?)^\\}").matcher(completion);
        assertTrue(body.find(), function);
        final Pattern words = Pattern.compile("(?m)^  local (?:commands|flag_opts|arg_opts)=\"(.*)\"$");
        return words.matcher(body.group(1)).results()
            .flatMap(match -> Stream.of(match.group(1).replace("'", "").split(" "))).collect(Collectors.toSet());
    }

    private static List<CommandSpec> everyCommand() throws ClassNotFoundException
    {
        final List<CommandSpec> all = new ArrayList<>();
        for (final CommandSpec command : LauncherCommands.of(mainClasses))
        {
            add(command, all);
        }
        return all;
    }

    private static void add(final CommandSpec command, final List<CommandSpec> all)
    {
        all.add(command);
        command.subcommands().values().stream().map(CommandLine::getCommandSpec).forEach(each -> add(each, all));
    }

    private static String path(final CommandSpec command)
    {
        return command.qualifiedName(" ");
    }

    private static String[] concat(final String... first)
    {
        return Stream.concat(Stream.of(first), mainClasses.stream()).toArray(String[]::new);
    }
}
