package org.fibnuma.ipnuma.command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the commands say where nothing runs or the user is wrong. */
class IpnumaCommandTest
{
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {
        "show --name nobody-here|nothing runs under this name",
        "counters --name nobody-here|nothing runs under this name",
        "write --name nobody-here --peer 2 --region 1 --text x|no endpoint in ",
        "read --name nobody-here --peer 2 --region 1|no endpoint in "
    })
    void shouldSayThatNothingRuns(final String lineAndReason)
    {
        final String[] parts = lineAndReason.split("\\|");
        assertEquals(1, run(parts[0].split(" ")));
        assertTrue(err.toString().startsWith("fibnuma: " + parts[1]), err::toString);
        assertEquals(1, err.toString().split("\n").length, err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "write --peer 2 --region box --text x|--region: \"box\" is not an id from 1 to 65535; names need --names",
        "write --peer 2 --region 1 --hex 0|--hex: ",
        "write --peer 2 --region 1|--text",
        "write --peer 2 --region 1 --text x --key secret|--key must be up to 64 bits",
        "write --peer 2 --region 1 --text x --offset -1|--offset must be 0 to",
        "read --peer 2 --region 1 --length 0|--length must be 1 to 1024",
        "read --peer 2 --region 1 --as float|--as must be one of hex, text, int, long",
        "endpoint|--config"
    })
    void shouldRefuseWrongUsage(final String lineAndReason)
    {
        final String[] parts = lineAndReason.split("\\|");
        assertEquals(2, run(parts[0].split(" ")), err::toString);
        assertTrue(err.toString().contains(parts[1]), err::toString);
    }

    @Test
    void shouldCheckAConfiguration() throws Exception
    {
        final Path file = directory.resolve("e.toml");
        Files.writeString(file, "[endpoint]\ndevice = \"mem:a\"\naddress = \"10.9.0.1/24\"\n" +
            "[[peer]]\nid = 2\naddress = \"10.9.0.2\"\n");
        assertEquals(0, run("endpoint", "--check", "-c", file.toString()), err::toString);
        assertEquals(file + ": ok\n", out.toString());
        Files.writeString(file, "[endpoint]\ndevice = \"mem:a\"\naddress = \"10.9.0.1/24\"\n");
        assertEquals(2, run("endpoint", "-c", file.toString()));
        assertEquals(
            file + ":1: peer: is missing; give the other endpoints, each as a table [[peer]] with id and address\n",
            err.toString());
    }

    private int run(final String... arguments)
    {
        final CommandLine commandLine = IpnumaCommand.commandLine(arguments);
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
