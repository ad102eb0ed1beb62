package org.fibnuma.fibnic.control;

import org.agrona.concurrent.CachedEpochClock;
import org.fibnuma.fibnic.multipath.FlowHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FlowHashSettingsTest
{
    @TempDir
    private Path directory;

    private final FlowHash flows = new FlowHash(0);
    private final CachedEpochClock clock = new CachedEpochClock();
    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldFollowBothFamiliesAndNameWhatOnlyTheKernelHas() throws IOException
    {
        final FlowHashSettings settings = new FlowHashSettings(directory, flows, clock, lines::add);
        settings.read();
        assertFalse(flows.isByPorts(false) || flows.isByPorts(true), "a kernel without the setting");
        write("ipv4", "1\n");
        write("ipv6", "3\n");
        settings.poll();
        assertTrue(flows.isByPorts(false) && flows.isByPorts(true));
        write("ipv4", "2\n");
        write("ipv6", "0\n");
        settings.poll();
        assertTrue(flows.isByPorts(false), "read once a second");
        clock.advance(FlowHashSettings.INTERVAL_MS);
        settings.poll();
        assertFalse(flows.isByPorts(false) || flows.isByPorts(true));
        final String effect = "flows of routes with several next hops are divided by addresses";
        assertEquals(List.of(
            "net.ipv4.fib_multipath_hash_policy=1: " + effect + ", protocol and ports",
            "net.ipv6.fib_multipath_hash_policy=3 is a policy of the kernel only; in the router " + effect +
            ", protocol and ports",
            "net.ipv4.fib_multipath_hash_policy=2 is a policy of the kernel only; in the router " + effect,
            "net.ipv6.fib_multipath_hash_policy=0: " + effect), lines);
    }

    private void write(final String family, final String value) throws IOException
    {
        Files.createDirectories(directory.resolve(family));
        Files.writeString(directory.resolve(family).resolve("fib_multipath_hash_policy"), value);
    }
}
