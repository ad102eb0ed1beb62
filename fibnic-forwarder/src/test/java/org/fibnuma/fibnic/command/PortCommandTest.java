package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.fibnuma.core.port.pcap.PcapWriter;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.control.Router;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** {@code fibnuma port} with a router in this process that has ports of each kind which needs no privilege. */
class PortCommandTest
{
    private static final String NAME = "test-" + ProcessHandle.current().pid() + "-port";
    private static final List<String> PORTS = List.of("memory", "shared", "files", "faulty");
    private static final String NO_INTERFACE = "the kernel has no interface of it, from which an added port has its " +
        "addresses and routes and to which a removed one leaves them";
    private static final String FILES = "its files are read and written once, from the start of the router to its end";

    @TempDir
    private static Path directory;

    private static List<String> devices;
    private static Router router;

    private String out;
    private String err;

    @BeforeAll
    static void startRouter() throws Exception
    {
        final Path in = directory.resolve("in.pcap");
        PcapWriter.create(in, new SystemEpochNanoClock()).close();
        devices = List.of("mem:" + NAME + "-a", "shm:" + NAME, "pcap:" + in, "fault:seed=1/mem:" + NAME + "-b");
        final StringBuilder config = new StringBuilder("[router]\nname = \"" + NAME +
            "\"\ncontrol = \"static\"\ncores = []\n");
        for (int i = 0; i < PORTS.size(); i++)
        {
            config.append("[[port]]\nname = \"").append(PORTS.get(i)).append("\"\ndevice = \"").append(devices.get(i))
                .append("\"\naddress = [\"10.0.").append(i).append(".1/24\"]\n");
        }
        router = Router.open(ConfigReader.read(Files.writeString(directory.resolve("r.toml"), config)));
        router.start();
    }

    @AfterAll
    static void stopRouter()
    {
        router.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0 | " + NO_INTERFACE, "1 | " + NO_INTERFACE, "2 | " + FILES, "3 | " + NO_INTERFACE})
    void shouldSayWhyAPortStays(final int port, final String reason) throws Exception
    {
        assertEquals(FibnumaCommand.FAILED, run("port", "remove", PORTS.get(port), "--name", NAME));
        assertEquals(List.of("fibnuma: port " + PORTS.get(port) + " (" + devices.get(port) + "): cannot be removed " +
            "while the router runs, because " + reason), err.lines().toList());
        assertEquals("", out);
        assertEquals(PORTS, ports());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mem:c | " + NO_INTERFACE, "shm:c | " + NO_INTERFACE, "pcap:c.pcap | " + FILES})
    void shouldSayWhyAPortIsNotAdded(final String device, final String reason) throws Exception
    {
        assertEquals(FibnumaCommand.FAILED, run("port", "add", "edge=" + device, "--name", NAME));
        assertEquals(List.of("fibnuma: port edge (" + device + "): cannot be added while the router runs, because " +
            reason + "; add a [[port]] to its file and restart it"), err.lines().toList());
        assertEquals(PORTS, ports());
    }

    @Test
    void shouldSayThatAPortOfAnotherKindIsThere() throws Exception
    {
        assertEquals(FibnumaCommand.FAILED, run("port", "add", "files", "--name", NAME));
        assertEquals(List.of("fibnuma: port files is not removed; show ports lists the ports"), err.lines().toList());
    }

    @Test
    void shouldNameTheKindsOfPorts() throws Exception
    {
        assertEquals(FibnumaCommand.FAILED, run("port", "add", "edge=eth4", "--name", NAME));
        assertEquals(List.of("fibnuma: port edge: unknown device \"eth4\"; known kinds: dpdk: fault: mem: pcap: shm: " +
            "tap: tun: xdp:"), err.lines().toList());
    }

    private List<String> ports() throws Exception
    {
        assertEquals(FibnumaCommand.OK, run("show", "ports", "--json", "--name", NAME));
        final List<String> names = new ArrayList<>();
        for (final JsonNode port : new ObjectMapper().readTree(out).get("ports"))
        {
            names.add(port.get("name").asText());
        }
        return names;
    }

    private int run(final String... arguments)
    {
        final StringWriter outText = new StringWriter();
        final StringWriter errText = new StringWriter();
        final CommandLine commandLine = FibnumaCommand.commandLine(arguments)
            .setOut(new PrintWriter(outText, true))
            .setErr(new PrintWriter(errText, true));
        final int status = commandLine.execute(arguments);
        out = outText.toString();
        err = errText.toString();
        return status;
    }
}
