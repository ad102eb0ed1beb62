package org.fibnuma.binding.dpdk;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A port that cannot be opened reports the reason in one line and leaves nothing open. */
class DpdkPortRefusalTest
{
    @TempDir
    private Path directory;

    private final DpdkTestRig rig = new DpdkTestRig();

    @BeforeEach
    void requireDpdk()
    {
        RequireDpdk.libraries();
    }

    @AfterEach
    void close()
    {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "dpdk:net_nonsense0",
        "dpdk:net_pcap0,rx_pcap=/nowhere/at/all.pcap",
        "dpdk:net_af_packet0,iface=nosuchdevice",
        "dpdk:0000:7f:1f.7",
        "dpdk:net_memif0,role=nonsense"})
    void shouldSayInOneLineWhatIsWrongAndLeaveNothingBehind(final String device)
    {
        rig.allocate(2048, 1);
        final UserException failure = assertThrows(UserException.class, () -> rig.open(device));

        assertTrue(failure.getMessage().startsWith("port p (" + device + "): "), failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count(), failure.getMessage());
        assertEquals(DpdkTestRig.POOL, rig.pool(0).available());
    }

    @Test
    void shouldRefuseADeviceThatAnotherPortHas()
    {
        rig.allocate(2048, 1);
        rig.open("dpdk:net_null0,size=64");
        final UserException failure = assertThrows(UserException.class, () -> rig.open("dpdk:net_null0,size=128"));
        assertTrue(failure.getMessage().contains("in use by another port"), failure.getMessage());
        rig.assertNothingLost();
    }

    @Test
    void shouldRefuseMoreWorkersThanTheDeviceHasQueues() throws IOException
    {
        rig.allocate(2048, 2);
        final String device = "dpdk:net_pcap0,rx_pcap=" +
            PcapFile.write(directory.resolve("in.pcap"), PcapFile.frames(60));
        final UserException failure = assertThrows(UserException.class, () -> rig.open(device));
        assertTrue(failure.getMessage().contains("set workers = 1"), failure.getMessage());
        rig.assertNothingLost();
    }

    /** What a server that was killed left behind does not keep the next from starting, but a living one does. */
    @Test
    void shouldTakeTheSocketOfAServerThatIsGone() throws IOException
    {
        rig.allocate(2048, 1);
        final Path socket = directory.resolve("memif.sock");
        final String device = "dpdk:net_memif0,role=server,id=0,socket=" + socket + ",socket-abstract=no";
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            server.bind(UnixDomainSocketAddress.of(socket));
            final UserException refusal = assertThrows(UserException.class, () -> rig.open(device));
            assertTrue(refusal.getMessage().contains(
                "another process listens on " + socket + ": end it, or give another socket"), refusal.getMessage());
        }
        assertTrue(Files.exists(socket));
        rig.open(device).start();
    }
}
