package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Require;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Changes of routes, neighbours and addresses of both families in the kernel of a running router: each is seen, and
 * {@code verify} agrees with the kernel afterwards.
 */
@Timeout(600)
class KernelChangesSystemTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String MAC = "02:00:00:00:77:01";

    private RouterLifeLab lab;
    private RouterProcess process;

    @BeforeEach
    void open()
    {
        Require.root();
        Require.program("ip", "iproute2");
        lab = RouterLifeLab.open();
        lab.router().enableIpv6();
        lab.router().sysctl("ipv6.conf.all.forwarding", "1");
        lab.router().address("r0", "2001:db8:1::1/64");
        lab.router().address("r1", "2001:db8:2::1/64");
        process = lab.start("ipv6 = true");
    }

    @AfterEach
    void close()
    {
        process.close();
        lab.close();
    }

    /** The times until a change is seen are published, and none is asserted. */
    @ParameterizedTest
    @ValueSource(strings = {
        "10.0.1. 24 32 192.0.2. 192.0.2.1 10.5.0.",
        "2001:db8:2:: 64 128 2001:db8:77:: 2001:db8:77::1 2001:db8:5::"})
    void shouldSeeRoutesNeighborsAndAddresses(final String networks, final TestReporter reporter) throws IOException
    {
        final String[] word = networks.split(" ");
        final String gateway = word[0] + "9";
        final String prefix = word[3] + (word[3].endsWith(".") ? "0/" : "/") + word[1];
        final String destination = word[4];
        see(reporter, "route", destination, "unresolved", "route", "add", prefix, "via", gateway);
        see(reporter, "neighbour", destination, "forward",
            "neighbor", "replace", gateway, "lladdr", MAC, "dev", "r1", "nud", "permanent");
        assertEquals(MAC, lookup(destination).get("destinationMac").asText());
        see(reporter, "neighbour gone", destination, "unresolved", "neighbor", "delete", gateway, "dev", "r1");
        see(reporter, "route gone", destination, "no-route", "route", "delete", prefix);
        final String address = word[5] + "1";
        see(reporter, "address", address, "local", "address", "add", address + "/" + word[1], "dev", "r0");
        see(reporter, "network", word[5] + "7", "glean", "address", "show");
        see(reporter, "address gone", address, "no-route",
            "address", "delete", address + "/" + word[1], "dev", "r0");
        assertTrue(lab.ask("verify").get("equal").asBoolean());
    }

    private void see(
        final TestReporter reporter,
        final String what,
        final String address,
        final String kind,
        final String... command)
        throws IOException
    {
        final List<String> ip = new ArrayList<>(List.of("ip"));
        ip.addAll(List.of(command));
        lab.router().run(ip.toArray(String[]::new));
        final long start = System.nanoTime();
        await(address, answer -> kind.equals(answer.get("kind").asText()), what);
        reporter.publishEntry(what, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) + " us");
    }

    private void await(final String address, final Predicate<JsonNode> condition, final String what)
        throws IOException
    {
        final long start = System.nanoTime();
        JsonNode answer = lookup(address);
        while (!condition.test(answer))
        {
            final JsonNode last = answer;
            assertTrue(process.isAlive() && System.nanoTime() - start < PATIENCE_NS,
                () -> what + " is missing: " + last + "\n" + String.join("\n", process.errors()));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            answer = lookup(address);
        }
    }

    private JsonNode lookup(final String address) throws IOException
    {
        try (ControlClient client = lab.client())
        {
            return client.ask(ControlProtocol.request("lookup").put("address", address));
        }
    }
}
