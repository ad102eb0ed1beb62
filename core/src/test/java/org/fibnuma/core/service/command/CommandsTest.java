package org.fibnuma.core.service.command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CommandsTest
{
    @Command(name = "top", mixinStandardHelpOptions = true, subcommands = {Lower.class, Other.class})
    private static final class Top
    {
    }

    @Command(name = "other")
    private static final class Other
    {
    }

    @Command(name = "lower", mixinStandardHelpOptions = true)
    private static final class Lower implements Runnable
    {
        @CommandLine.Spec
        private CommandLine.Model.CommandSpec spec;

        @Option(names = "--name", required = true, description = "A name.")
        private String name;

        @Override
        public void run()
        {
            throw new CommandLine.ParameterException(spec.commandLine(), "--name: \"" + name + "\" is no name");
        }
    }

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(final String... arguments)
    {
        return Commands.prepare(Commands.forArguments(Top.class, arguments))
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --versoin               | Unknown option: '--versoin'; did you mean --version?
        lowr                    | Unmatched argument at index 0: 'lowr'; did you mean lower?
        lower --nmae x --name y | Unknown options: '--nmae', 'x'; did you mean --name?
        lower --name y --nam=x  | Unknown option: '--nam=x'; did you mean --name?
        lower --name y --other  | Unknown option: '--other'; see top lower --help
        lower                   | Missing required option: '--name=<name>'; see top lower --help
        lower --name y          | --name: "y" is no name
        """)
    void shouldRefuseWrongUsageWithOneLine(final String arguments, final String line)
    {
        assertEquals(2, run(arguments.split(" ")));
        assertEquals(line + System.lineSeparator(), err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void shouldInspectTheNamedSubcommandOnly()
    {
        assertEquals(Set.of("lower"), Commands.forArguments(Top.class, "lower", "other").getSubcommands().keySet());
        for (final String[] arguments : new String[][]{{}, {"lowr"}, {"--help", "lower"}})
        {
            assertEquals(Set.of("lower", "other"),
                Commands.forArguments(Top.class, arguments).getSubcommands().keySet());
        }
    }

    @Test
    void shouldHaveTheSameHelpWithAndWithoutTheOtherSubcommands()
    {
        assertEquals(0, run("lower", "--help"));
        assertEquals(new CommandLine(new Top()).getSubcommands().get("lower").getUsageMessage(), out.toString());
        assertTrue(out.toString().startsWith("Usage: top lower "), out.toString());
    }

    @Test
    void shouldPrintTheVersionOfTheProjectInEachCommand() throws IOException
    {
        assertEquals(0, run("--version"));
        assertEquals(0, run("lower", "-V"));
        assertEquals(("fibnuma " + Commands.VERSION + System.lineSeparator()).repeat(2), out.toString());
        assertTrue(Files.readString(Path.of("..", "pom.xml")).contains(
            "<artifactId>fibnuma</artifactId>\n  <version>" + Commands.VERSION + "</version>"));
    }
}
