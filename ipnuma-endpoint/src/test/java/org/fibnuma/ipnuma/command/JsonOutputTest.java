package org.fibnuma.ipnuma.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.core.service.command.ClosingWriter;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What the commands print about endpoints in this process has the fields of {@code docs/json.md}. */
@Timeout(60)
class JsonOutputTest
{
    private static final String NAME = "test-json-" + ProcessHandle.current().pid();
    private static final long PARK_NS = 20_000;

    @TempDir
    private Path directory;

    private Thread thread;
    private volatile boolean isStopped;

    @BeforeEach
    void start() throws Exception
    {
        final Endpoint a = Endpoint.open(EndpointConfigReader.read(file("a", 1, 2, "")), ChannelListener.NONE);
        final Endpoint b = Endpoint.open(EndpointConfigReader.read(file("b", 2, 1, "@far")), ChannelListener.NONE);
        thread = new Thread(() -> run(a, b));
        thread.start();
    }

    @AfterEach
    void stop() throws InterruptedException
    {
        isStopped = true;
        thread.join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"show", "counters", "read --peer 2 --region 3", "read --peer 2 --region 3 --as int"})
    void shouldPrintTheDocumentedFields(final String command) throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
        arguments.addAll(List.of("--name", NAME + "a", "--json"));
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final CommandLine commandLine = IpnumaCommand.commandLine()
            .setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        assertEquals(0, commandLine.execute(arguments.toArray(String[]::new)), err::toString);
        final JsonNode answer = new ObjectMapper().readTree(out.toString());
        DocumentedJson.assertMatches("ipnuma " + arguments.get(0), answer);
    }

    @ParameterizedTest
    @CsvSource({"text, '\"hi\"', 6869", "int, 16843009, 01010101", "long, -1, ffffffffffffffff"})
    void shouldPrintWhatWasReadInTheWantedForm(final String form, final String value, final String hex)
        throws Exception
    {
        assertEquals(0, IpnumaCommand.commandLine().setOut(new PrintWriter(new StringWriter())).execute(
            "write", "--peer", "2", "--region", "3", "--hex", hex, "--name", NAME + "a"));
        final StringWriter out = new StringWriter();
        assertEquals(0, IpnumaCommand.commandLine().setOut(new PrintWriter(out, true)).execute(
            "read", "--peer", "2", "--region", "3", "--length", Integer.toString(hex.length() / 2), "--as", form,
            "--name", NAME + "a", "--json"));
        final JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertEquals(hex, answer.get("hex").asText());
        assertEquals(value, answer.get("value").toString());
        DocumentedJson.assertMatches("ipnuma read", answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"show", "counters"})
    void shouldPrintALineEverySecondUntilTheReaderCloses(final String command) throws Exception
    {
        final ClosingWriter reader = new ClosingWriter(2);
        final CommandLine commandLine = IpnumaCommand.commandLine().setOut(new PrintWriter(reader));
        assertEquals(0, commandLine.execute(command, "--watch", "--name", NAME + "a", "--json"));
        assertEquals(2, reader.text().lines().count());
        DocumentedJson.assertMatches("ipnuma " + command, new ObjectMapper().readTree(reader.text()));
    }

    @Test
    void shouldDescribeEndpointsWithTheDocumentedFields() throws Exception
    {
        final ArrayNode entries = new ObjectMapper().createArrayNode();
        entries.add(new DirectoryEntry("b", Ipv4Address.parse("10.9.0.2"), 7, null,
            List.of(new DirectoryEntry.PublishedRegion("box", 1, 65_536, 1))).toJson());
        DocumentedJson.assertMatches("ipnuma directory", entries);
    }

    private void run(final Endpoint a, final Endpoint b)
    {
        try (a; b)
        {
            a.start();
            b.start();
            while (!isStopped)
            {
                if (a.agent().doWork() + b.agent().doWork() == 0)
                {
                    LockSupport.parkNanos(PARK_NS);
                }
            }
        }
    }

    private Path file(final String name, final int id, final int peer, final String side) throws IOException
    {
        return Files.writeString(directory.resolve(name + ".toml"), "[endpoint]\nname = \"" + NAME + name + "\"\n" +
            "device = \"mem:" + NAME + side + "\"\naddress = \"10.9.0." + id + "/24\"\n" +
            "[[peer]]\nid = " + peer + "\naddress = \"10.9.0." + peer + "\"\n" +
            "[[region]]\nname = \"box\"\nid = 3\nsize-kib = 64\nallow = [\"10.9.0.0/24\"]\n" +
            "access = \"write+read\"\nkey = \"none\"\n");
    }
}
