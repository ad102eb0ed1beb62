package org.fibnuma.bench.router;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Require;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.host.RunDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a router has changed on its host and could not put back, because it was killed: the next start does. */
class KilledRouterSystemTest
{
    private static final String DEFER_IRQS = "napi_defer_hard_irqs";
    private static final String FLUSH_TIMEOUT = "gro_flush_timeout";
    private static final int IFF_PROMISC = 0x100;

    private RouterLifeLab lab;
    private RouterLifeLab other;

    @BeforeEach
    void open()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ethtool", "ethtool");
        lab = RouterLifeLab.open();
        // Its hosts stay unused: what counts is a router of another name in the namespace of the first.
        other = RouterLifeLab.open();
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(lab, other);
    }

    @Test
    void shouldPutBackWhatAKilledRouterChanged()
    {
        final String flushBefore = value("r0", FLUSH_TIMEOUT);
        try (RouterProcess killed = RouterProcess.start(
            lab.router(), lab.config().replace("cores = []", "cores = []\nbusy-poll-us = 20"), RouterLifeLab.PATIENCE))
        {
            assertEquals("2", value("r0", DEFER_IRQS), () -> String.join("\n", killed.errors()));
            assertEquals("200000", value("r1", FLUSH_TIMEOUT));
            assertTrue(Files.exists(RunDirectory.recordsOf(lab.name())), "nothing is written down");
            killed.kill();
        }
        assertEquals("2", value("r0", DEFER_IRQS), "killed before it could put anything back");

        try (RouterProcess next = startOther(lab.config()))
        {
            for (final String device : List.of("r0", "r1"))
            {
                assertEquals("0", value(device, DEFER_IRQS));
                assertEquals(flushBefore, value(device, FLUSH_TIMEOUT));
            }
            assertFalse(Files.exists(CountersFile.directoryOf(lab.name())), "counters of the killed router are there");
            assertFalse(Files.exists(RunDirectory.controlSocketOf(lab.name())), "its socket is there");
            assertFalse(Files.exists(RunDirectory.recordsOf(lab.name())), "its record is there");
            // Two settings of polling and two VLAN parsers of each interface.
            assertEquals(8, next.errors().stream().filter(line -> line.contains("was killed before")).count(),
                () -> String.join("\n", next.errors()));
            assertEquals(0, next.terminate());
        }
        assertEquals("0", value("r0", DEFER_IRQS));
        assertEquals(flushBefore, value("r0", FLUSH_TIMEOUT));
        assertFalse(Files.exists(RunDirectory.recordsOf(other.name())), "a clean end leaves a record");
    }

    /** A card that takes VLAN tags out of frames would make the router forward tagged frames as untagged ones. */
    @Test
    void shouldKeepVlanTagsInFramesAndPutTheSettingBack()
    {
        assertTrue(removesVlanTags("r0"));
        // The kernel uses numbers of network namespaces again. A record of a router that was killed in an earlier
        // namespace with the number of this one ends at the first start here.
        try (RouterProcess first = lab.start())
        {
            assertEquals(0, first.terminate());
        }
        lab.router().run("ethtool", "-K", "r1", "rxvlan", "off");
        try (RouterProcess clean = lab.start())
        {
            assertFalse(removesVlanTags("r0"), "frames lose their tags");
            assertEquals(0, clean.terminate());
        }
        assertTrue(removesVlanTags("r0"), "left by a clean end");
        assertFalse(removesVlanTags("r1"), "not the router's change");

        try (RouterProcess killed = lab.start())
        {
            killed.kill();
        }
        assertFalse(removesVlanTags("r0"));
        try (RouterProcess next = startOther(lab.config().replace("xdp:r0", "mem:x")
            .replace("cores = []", "cores = []\ncontrol = \"static\"")))
        {
            assertTrue(removesVlanTags("r0"), () -> String.join("\n", next.errors()));
            assertTrue(next.errors().stream().anyMatch(
                line -> line.contains("interface r0: ethtool:rx-vlan-hw-parse is on again")),
                () -> String.join("\n", next.errors()));
        }
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
        final String config = lab.config().replace("cores = []", "cores = []\ncontrol = \"static\"")
            .replace("xdp:r0", "dpdk:net_af_packet0,iface=r0").replace("xdp:r1", "dpdk:net_af_packet1,iface=r1");
        assertFalse(isPromiscuous("r0"));
        try (RouterProcess clean = RouterProcess.start(lab.router(), config, RouterLifeLab.PATIENCE))
        {
            assertTrue(isPromiscuous("r0"), "the driver needs nothing put back");
            assertEquals(0, clean.terminate());
        }
        assertFalse(isPromiscuous("r0"), "left by a clean end");

        try (RouterProcess killed = RouterProcess.start(lab.router(), config, RouterLifeLab.PATIENCE))
        {
            assertTrue(isPromiscuous("r1"));
            killed.kill();
        }
        assertTrue(isPromiscuous("r1"));
        try (RouterProcess next = startOther(lab.config()))
        {
            assertFalse(isPromiscuous("r0"), () -> String.join("\n", next.errors()));
            assertFalse(isPromiscuous("r1"));
        }
    }

    private RouterProcess startOther(final String config)
    {
        return RouterProcess.start(
            lab.router(), config.replace(lab.name(), other.name()), RouterLifeLab.PATIENCE);
    }

    private String value(final String device, final String file)
    {
        return lab.router().run("cat", "/sys/class/net/" + device + "/" + file).strip();
    }

    private boolean isPromiscuous(final String device)
    {
        return (Integer.decode(value(device, "flags")) & IFF_PROMISC) != 0;
    }
}
