package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Require;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.host.RunDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a router has changed on its host and could not put back, because it was killed: the next start does. */
@NamespaceTest("ethtool")
class KilledRouterSystemTest
{
    private static final String DEFER_IRQS = "napi_defer_hard_irqs";
    private static final String FLUSH_TIMEOUT = "gro_flush_timeout";
    private static final int IFF_PROMISC = 0x100;

    private final RouterLifeLab lab = RouterLifeLab.open();
    private final String other = lab.name() + "-other";

    @AfterEach
    void close()
    {
        lab.close();
        RouterLifeLab.removeLeftovers(other);
    }

    @Test
    void shouldPutBackWhatAKilledRouterChanged()
    {
        final String flushBefore = lab.value("r0", FLUSH_TIMEOUT);
        lab.start("busy-poll-us = 20");
        assertEquals("2", lab.value("r0", DEFER_IRQS), lab::log);
        assertEquals("200000", lab.value("r1", FLUSH_TIMEOUT));
        assertTrue(Files.exists(RunDirectory.recordsOf(lab.name())), "nothing is written down");
        lab.process().kill();
        assertEquals("2", lab.value("r0", DEFER_IRQS), "killed before it could put anything back");
        startOther(lab.config());
        for (final String device : List.of("r0", "r1"))
        {
            assertEquals("0", lab.value(device, DEFER_IRQS));
            assertEquals(flushBefore, lab.value(device, FLUSH_TIMEOUT));
        }
        assertFalse(Files.exists(CountersFile.directoryOf(lab.name())), "counters of the killed router are there");
        assertFalse(Files.exists(RunDirectory.controlSocketOf(lab.name())), "its socket is there");
        assertFalse(Files.exists(RunDirectory.recordsOf(lab.name())), "its record is there");
        // Two settings of polling and two VLAN parsers of each interface.
        assertEquals(8, lab.count("was killed before"), lab::log);
        lab.terminate();
        assertEquals("0", lab.value("r0", DEFER_IRQS));
        assertEquals(flushBefore, lab.value("r0", FLUSH_TIMEOUT));
        assertFalse(Files.exists(RunDirectory.recordsOf(other)), "a clean end leaves a record");
    }

    /** A card that takes VLAN tags out of frames would make the router forward tagged frames as untagged ones. */
    @Test
    void shouldKeepVlanTagsInFramesAndPutTheSettingBack()
    {
        assertTrue(removesVlanTags("r0"));
        // The kernel uses numbers of network namespaces again. A record of a router that was killed in an earlier
        // namespace with the number of this one ends at the first start here.
        lab.start();
        lab.terminate();
        lab.router().run("ethtool", "-K", "r1", "rxvlan", "off");
        lab.start();
        assertFalse(removesVlanTags("r0"), "frames lose their tags");
        lab.terminate();
        assertTrue(removesVlanTags("r0"), "left by a clean end");
        assertFalse(removesVlanTags("r1"), "not the router's change");
        lab.start().kill();
        assertFalse(removesVlanTags("r0"));
        startOther(lab.config("control = \"static\"").replace("xdp:r0", "mem:x"));
        assertTrue(removesVlanTags("r0"), lab::log);
        assertTrue(lab.count("interface r0: ethtool:rx-vlan-hw-parse is on again") > 0, lab::log);
        lab.terminate();
        assertFalse(removesVlanTags("r1"));
    }

    private boolean removesVlanTags(final String device)
    {
        return lab.router().run("ethtool", "-k", device).contains("rx-vlan-offload: on");
    }

    @Test
    void shouldPutBackWhatADriverOfDpdkChanged()
    {
        Require.program("dpdk-testpmd", "dpdk");
        final String config = lab.config("control = \"static\"")
            .replace("xdp:r0", "dpdk:net_af_packet0,iface=r0").replace("xdp:r1", "dpdk:net_af_packet1,iface=r1");
        assertFalse(isPromiscuous("r0"));
        lab.startConfigured(config);
        assertTrue(isPromiscuous("r0"), "the driver needs nothing put back");
        lab.terminate();
        assertFalse(isPromiscuous("r0"), "left by a clean end");
        lab.startConfigured(config);
        assertTrue(isPromiscuous("r1"));
        lab.process().kill();
        assertTrue(isPromiscuous("r1"));
        startOther(lab.config());
        assertFalse(isPromiscuous("r0"), lab::log);
        assertFalse(isPromiscuous("r1"));
    }

    private void startOther(final String config)
    {
        lab.startConfigured(config.replace(lab.name(), other));
    }

    private boolean isPromiscuous(final String device)
    {
        return (Integer.decode(lab.value(device, "flags")) & IFF_PROMISC) != 0;
    }
}
